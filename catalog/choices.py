"""Words of the catalogue that several of its models choose from."""

from django.db import models


class Basis(models.TextChoices):
    """How a figure is known."""

    PUBLISHED = "published", "Published"
    ILLUSTRATIVE = "illustrative", "Illustrative"
    ASSUMED = "assumed", "Assumed"


class Restriction(models.TextChoices):
    """What of a container's machine a price or a rule depends on."""

    NONE = "", "None"
    CORES = "CORE", "Cores"
    PROCESSORS = "PROCESSOR", "Processors"
    STORAGE = "STORAGE_SPACE", "Storage space (GB)"


class Driver(models.TextChoices):
    """What brings the machines or volumes of a package about."""

    SIMULATED = "simulated", "Simulated"
    MANUAL = "manual", "By hand"
    WEBHOOK = "webhook", "External provisioner"
