"""What errors and warnings say in Japanese, by the English templates that stand where they are raised."""

from __future__ import annotations

from collections.abc import Mapping

from tokumei.messages.ja import (
    anonymizers,
    command_line,
    common,
    engines,
    io,
    mechanism,
    partition,
    plan,
    privacy,
    reconstruction,
    release,
    repeating,
    reports,
    risk,
    studio,
    surveys,
    system,
    table,
    utility,
    values,
)

MESSAGES: Mapping[str, str] = {
    **anonymizers.MESSAGES,
    **command_line.MESSAGES,
    **common.MESSAGES,
    **engines.MESSAGES,
    **io.MESSAGES,
    **mechanism.MESSAGES,
    **partition.MESSAGES,
    **plan.MESSAGES,
    **privacy.MESSAGES,
    **reconstruction.MESSAGES,
    **release.MESSAGES,
    **repeating.MESSAGES,
    **reports.MESSAGES,
    **risk.MESSAGES,
    **studio.MESSAGES,
    **surveys.MESSAGES,
    **system.MESSAGES,
    **table.MESSAGES,
    **utility.MESSAGES,
    **values.MESSAGES,
}
