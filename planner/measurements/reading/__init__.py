"""Files of measured results, read without a database: fio, YCSB, COSBench, Basho Bench and plain tables."""
