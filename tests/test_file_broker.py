"""The file-system broker under two writers and a reader that never rests."""

from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from tests.waiting import wait_until

MESSAGES = 300


def connection(folder: Path) -> Connection:
    folders = {"data_folder_in": folder, "data_folder_out": folder, "control_folder": folder / "control"}
    return Connection(transport="config.broker:Transport", transport_options=folders)


@pytest.fixture
def channel(tmp_path: Path) -> Iterator:
    with connection(tmp_path / "made" / "at first use") as opened:
        opened.default_channel.queue_declare("bells")
        yield opened.default_channel


def write(folder: Path) -> None:
    with connection(folder) as opened:
        queue = opened.SimpleQueue("bells")
        for number in range(MESSAGES):
            queue.put({"number": number})


def test_a_worker_never_sees_half_a_message(channel, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "at first use"
    writers = [get_context("spawn").Process(target=write, args=(folder,)) for _ in range(2)]
    for writer in writers:
        writer.start()
    received: list[dict] = []

    def receive() -> bool:
        try:
            while True:
                received.append(channel._get("bells"))
        except Empty:
            return len(received) == 2 * MESSAGES

    assert wait_until(receive, seconds=60)
    for writer in writers:
        writer.join()
    assert all(message["properties"] for message in received)


def test_messages_are_heard_in_the_order_in_which_they_were_sent(channel, tmp_path: Path) -> None:
    for number in range(20):
        channel._put("bells", {"number": number})

    assert [channel._get("bells")["number"] for _ in range(20)] == list(range(20))
