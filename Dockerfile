# One image for web, worker, ticker and migrate; which of them runs is said by the command in docker-compose.yml.
FROM python:3.12-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    RACKWRIGHT_DATA=/data \
    NUMBA_CACHE_DIR=/data/numba \
    STATIC_ROOT=/srv/rackwright/collected

WORKDIR /srv/rackwright
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements.txt

COPY . .
# In embedded mode no secret is needed to collect static files; the key made for it does not stay in the image.
RUN python manage.py collectstatic --noinput --verbosity 0 \
    && rm -rf /data \
    && useradd --system --uid 10001 --home-dir /data rackwright \
    && install -d -o rackwright -g rackwright /data

USER rackwright
ENV RACKWRIGHT_MODE=deployed
VOLUME /data
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "4", "--limit-request-line", "8190", "--no-control-socket"]
