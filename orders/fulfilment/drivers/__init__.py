"""What brings resources about: one driver for each way, chosen per package."""

from catalog.choices import Driver as DriverName
from orders.fulfilment.drivers.interface import Driver
from orders.fulfilment.drivers.manual import ManualDriver
from orders.fulfilment.drivers.simulated import SimulatedDriver
from orders.fulfilment.drivers.webhook import WebhookDriver

DRIVERS: dict[str, Driver] = {
    DriverName.SIMULATED: SimulatedDriver(),
    DriverName.MANUAL: ManualDriver(),
    DriverName.WEBHOOK: WebhookDriver(),
}
