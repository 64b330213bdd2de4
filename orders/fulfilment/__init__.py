"""Fulfilment: from the placed order to machines that are there, piece by piece, and back.

A driver, chosen per package, brings resources about. What a worker does is a run; what changes a resource is a service
of this package, holds the lock of its order, is conditional on the resource's state and leaves an audit entry.
"""
