"""What a column seems to be for, by its name, its description and its cells: a guess, with the reason for it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tokumei.plan.cells import EMAIL, NUMBER, PHONE, free_text, mostly, numbers_of, sums_like_weights, texts_of
from tokumei.table.codebook import Variable
from tokumei.table.domain import family, plain
from tokumei.table.observed import FEW
from tokumei.table.people import unit_named
from tokumei.table.schema import Role


def _named(latin: str, japanese: str = "") -> re.Pattern[str]:
    """Find whole words of a name, or parts of a Japanese one."""
    return re.compile(rf"(^|[^a-z])({latin})([^a-z]|$)" + (f"|{japanese}" if japanese else ""), re.IGNORECASE)


# Names that only identifiers have.
IDENTIFIERS = _named(
    r"uid|uuid|guid|surname|firstname|lastname|fullname|username|login|e-?mail|mail|phone|mobile|fax|tel|telephone|ssn|passport|"
    r"iban|address|street|url|ip|plate|hhid|hid|pid|hhno|hhnum|pno|pnr|idno|idnum|caseid|respid|persid|personid|householdid|serial|serialno|seq|"
    r"(hh|household|person|pers|resp|respondent|case|student|patient|customer|client|member|employee|user)_?(id|no|nr|number)",
    r"^id$|氏名|姓名|苗字|名字|氏$|住所|番地|電話|携帯|メール|口座|マイナンバー|個人番号|整理番号|世帯番号|番号$|^ＩＤ|^ID",
)
# Names that identifiers share with counts, and with labels of things.
PERHAPS = _named(r"id|no|nr|number|name|names|account|patient|customer|person", "_id$|名前|名$|番号|顧客|患者")
PARTY = _named("pid")  # a person, or which party somebody is for
WITHIN = _named(r"pno|pnr|lineno|line_no|person_no|member_no|memberid|member_id|pernum", "世帯員番号|個人連番")
POSTCODES = _named(r"zip|zipcode|zip_code|postal|postal_code|postcode|post_code|plz|cap|cep", "郵便番号")
PLACES = _named(r"lat|lon|lng|long|latitude|longitude|gps|coord|coords|easting|northing|geo_x|geo_y", "緯度|経度|座標")
DESIGN = _named(
    r"psu|ssu|cluster|clusters|stratum|strata|strat|ea|enumeration_area|segment|block",
    "層$|^層|調査区|抽出単位|ブロック",
)
BIRTH = _named(r"dob|birth|birthdate|birthday|birth_date|date_of_birth|born|bdate", "生年月日|誕生日")
SENSITIVE = re.compile(
    r"所得|年収|収入|給与|賃金|貯蓄|負債|借入|健康|疾患|病|診断|宗教|信条|犯罪|投票|支持政党|障害|income|salary|wage|earning|disease|diagnos|icd|health|religion|belief|politic|party|"
    r"(^|[^a-z])vote|voted|sexual|crime|convict|debt|credit|hiv|diabet|cancer|depress|disab|wealth|savings|blood_?pressure|bmi|cholesterol",
    re.I,
)
WEIGHTS = re.compile(
    r"(^|[^a-z])[a-z]{0,8}(weights?|wgts?|wts?)([^a-z]|$)|^wt[a-z]*$|^w(_|\d|$)|ウェイト|ウエイト|乗率|拡大係数|集計用係数",
    re.IGNORECASE,
)
OF_BODIES = re.compile(r"birth|body|over|under|height|kg|lbs?([^a-z]|$)|gram|体重", re.IGNORECASE)
BARE = re.compile(r"^(weights?|wts?)$", re.IGNORECASE)  # people weigh something, too
CODED = _named(
    r"codes?|cd|isco|isic|nace|naics|sic|soc|zip|postal|postcode|plz|district|province|county|region|municipality|psu|cluster|stratum|strata|"
    r"state|type|kind|class|category|cat|group|grp|status|sector|industry|occupation|ethnicity|race|q\d+[a-z]?",
    "コード|市区町村|都道府県|区分|種別|分類|職業|産業",
)
COUNTED = _named(
    r"age|ages|years?|yrs|hours?|hrs|minutes|days|weeks|months|size|hhsize|counts?|number_of|num|n|rooms|children|kids|members|persons|adults|"
    r"height|score|amount|rent|price|cost|expenditure|spending|sales|turnover|visits|trips",
    "年齢|歳|人数|人員|時間|日数|年数|金額|支出|家賃|回数|部屋数|身長|面積|点数",
)
# What names people directly, by the name of its column.
DIRECT = {
    "email": _named(r"e-?mails?|mail", "メール"),
    "phone": _named(r"phones?|mobile|fax|tel|telephone", "電話|携帯"),
    "address": _named(r"address|street|ip|url", "住所|番地"),
    "name": _named(r"names?|surname|firstname|lastname|fullname|username|login", "氏名|姓名|苗字|名字|名前|氏$|名$"),
}
HEAVIEST = 650  # kilograms
MANY_LABELS = 1000
ALONE = 0.95  # of the rows have a whole number of their own: a number of people or households
SMALL = r"^\d{1,2}(\.0)?$"  # a number within a household
SHORT = 20  # rows of a table in which that says nothing

WHY: dict[Role, str] = {
    "identifier": "names a person directly: it is dropped",
    "person": "says whose row it is, if people have several: it is dropped, and guarantees are for people",
    "quasi_identifier": "others may know it about a person: it is protected",
    "sensitive": "should not become known about a person: the method decides what becomes of it",
    "insensitive": "identifies nobody and may be known: the method decides what becomes of it",
}
WHY_HOUSEHOLD = "says which household a row belongs to: it is dropped, and guarantees are for households"
REPEATING = 0.9  # the share of different values up to which values repeat: many households have one row
LIKE_NAMES = "most rows have a different value, as with a name: it is dropped"
LIKE_NUMBERS = (
    "nearly every row has a different whole number, as in numbering people or households: it is dropped; if it "
    "is an amount, make it a quasi_identifier or sensitive, and give it a domain"
)
REPEATS = (
    '; its values repeat: if they say whose row each is, use "person", and guarantees are for people or households'
)
HOUSEHOLD = (
    'numbers households, and its values repeat: it is dropped; use "person" (or --person) if the rows of a household belong together, and '
    "guarantees are for households"
)
NUMBERED = "numbers the people of a household: it is dropped"
WITHIN_ANOTHER = (
    "numbers the rows of each {other!r}, so its values repeat, and it names nobody by itself: it is dropped"
)
MAILED = "its cells look like e-mail addresses: it is dropped"
CALLED = "its cells look like telephone numbers: it is dropped"
WRITTEN = "its cells are free text, which may name anyone: it is dropped"
PLACED = "a point on the map is somebody's home: it is dropped; to keep a place, put a region in its stead"
POSTED = "a postcode, which others may know about a person: it is protected; hierarchy = { masks = [1, 2, 3] } makes it coarser digit by digit"
DESIGNED = "a stratum or cluster of the sample, which says where people live: it is protected; analysts need it for standard errors, so consider coarser ones"
BORN = "a date of birth, which with a place singles most people out: it is protected; the year alone says less"
LIKE_WEIGHTS = (
    "looks like a survey weight: it is released unchanged, so that analysts can weight by it; a weight that few "
    "rows have points to them, so round it to few values, or drop it (identifier); if it is the weight of "
    'people\'s bodies, use "quasi_identifier"'
)
SUMS = "; round it to few values, or drop it (identifier): a weight that few rows have points to them"
OR_WEIGHTS = '; if it is a survey weight, not a body weight, use "insensitive"'


def guess_role(name: str, column: Any, variable: Variable | None = None) -> tuple[Role, str]:
    """Guess the role of an Arrow column from its name, its cells and what a codebook says of it, and say why."""
    found = _weight(name, column, variable) or _by_cells(column)
    if found is not None:
        return found
    return _by_name(name, column, variable) or _by_variety(name, column, variable)


def _weight(name: str, column: Any, variable: Variable | None) -> tuple[Role, str] | None:
    if weights(name, column) or (variable is not None and variable.label and weights(variable.label, column)):
        return "insensitive", LIKE_WEIGHTS
    if not (COUNTED.search(_words(name)) or SENSITIVE.search(name) or PLACES.search(_words(name))) and (
        summed := sums_like_weights(column)
    ):
        return "insensitive", f"{summed}: it is released unchanged{SUMS}"
    return None


def _by_cells(column: Any) -> tuple[Role, str] | None:
    for looks, why in ((mostly(column, EMAIL), MAILED), (mostly(column, PHONE), CALLED), (free_text(column), WRITTEN)):
        if looks:
            return "identifier", why
    return None


def _by_name(name: str, column: Any, variable: Variable | None) -> tuple[Role, str] | None:
    """Return the first of these that a name, or for sensitive things a description, says; labelled codes identify nobody by themselves."""
    words, plainly = _words(name), WHY["quasi_identifier"]
    said = f"{name} {variable.label or ''}" if variable is not None else name
    labelled = variable is not None and bool(variable.labels) and variable.measure != "scale"
    named = not labelled and named_like_an_identifier(name, column)
    repeated = WHY["identifier"] + (REPEATS if _repeats(column) else "")
    households = of_households(name) and _repeats(column)
    birthday = BIRTH.search(words) is not None and family(column.type) in {"dates", "text"} and not labelled
    found: tuple[tuple[bool, Role, str], ...] = (
        (POSTCODES.search(words) is not None, "quasi_identifier", POSTED),
        (PLACES.search(words) is not None and _fractions(column), "identifier", PLACED),
        (WITHIN.search(words) is not None, "identifier", NUMBERED),
        (named, "identifier", HOUSEHOLD if households else repeated),
        (DESIGN.search(words) is not None, "quasi_identifier", DESIGNED),
        (birthday, "quasi_identifier", BORN),
        (SENSITIVE.search(said) is not None, "sensitive", WHY["sensitive"]),
        (labelled, "quasi_identifier", plainly),
        (COUNTED.search(words) is not None and mostly(column, NUMBER), "quasi_identifier", plainly),
    )
    return next(((role, why) for holds, role, why in found if holds), None)


def _by_variety(name: str, column: Any, variable: Variable | None) -> tuple[Role, str]:
    """Take a column of nearly as many values as rows for one of names or numbers, unless its cells are amounts."""
    different = len(column.unique())
    scale = variable is not None and variable.measure == "scale"
    amounts = scale or mostly(column, r"[,.]\d") or COUNTED.search(_words(name)) is not None
    if family(column.type) == "text" and len(column) > 1 and not (amounts and mostly(column, NUMBER)):
        dates = mostly(column, r"^\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(\D.*)?$")
        if not dates and (different > 0.5 * len(column) or different > MANY_LABELS):
            return "identifier", LIKE_NAMES
    if len(column) >= SHORT and different > ALONE * len(column) and _whole(column) and not amounts:
        return "identifier", LIKE_NUMBERS
    return "quasi_identifier", WHY["quasi_identifier"] + (OR_WEIGHTS if BARE.match(name) else "")


def most_codes(name: str) -> int:
    """Return up to how many different whole numbers of a column are taken for codes: more where its name says so, none where it counts.

    >>> most_codes("occupation_code"), most_codes("q7"), most_codes("hours_worked")
    (1000, 1000, 0)
    """
    words = _words(name)
    if COUNTED.search(words) and not re.search(r"group|grp|class|cat|code|階級|区分", words, re.IGNORECASE):
        return 0
    return MANY_LABELS if CODED.search(words) else FEW


def named_like_an_identifier(name: str, column: Any = None) -> bool:
    """Whether a name is one of those that identifiers have; of names that counts and labels have too, the cells decide."""
    words = _words(name)
    if IDENTIFIERS.search(words):
        return not (PARTY.search(words) and column is not None and _answers(column))
    if not PERHAPS.search(words):
        return False
    if column is None:
        return True
    if re.search(r"(number|no|nr|num)_?of|人数|回数", words, re.IGNORECASE) or COUNTED.search(words):
        return False
    different = len(column.drop_null().unique())
    return not (different <= FEW and 4 * different <= len(column))


def names_directly(name: str) -> str | None:
    """Say what a column seems to hold by its name alone: an e-mail address, a telephone number, another address, or a name of a person.

    >>> [names_directly(each) for each in ("eMail", "surname", "携帯電話", "住所", "age")]
    ['email', 'name', 'phone', 'address', None]
    """
    words = _words(name)
    return next((kind for kind, form in DIRECT.items() if form.search(words) or form.search(name)), None)


def of_households(name: str) -> bool:
    """Whether a name is one of a number of households."""
    return unit_named(name) == "household"


def numbered_within(name: str, table: pa.Table) -> str | None:
    """Name the column, one of households or of other groups, within which a column numbers the rows: small whole numbers, each once in a group.

    >>> numbered_within("persno", pa.table({"hid": [7, 7, 8, 8, 8, 9, 6], "persno": [1, 2, 1, 2, 3, 1, 1]}))
    'hid'
    """
    column = table.column(name)
    numbers = column.unique()
    if column.null_count or not _repeats(column) or family(column.type) not in {"numbers", "text"}:
        return None
    if not pc.all(pc.match_substring_regex(plain(numbers, decode=True).cast(pa.string()), SMALL)).as_py():
        return None
    for other in table.column_names:
        groups = table.column(other)
        if other != name and named_like_an_identifier(other, groups) and _repeats(groups) and not groups.null_count:
            several = len(groups.unique()) > len(numbers)
            pairs = table.select([other, name]).group_by([other, name], use_threads=False).aggregate([])
            if several and pairs.num_rows == table.num_rows:
                return other
    return None


def _answers(column: Any) -> bool:
    """Whether cells are a few answers that many give, and no numbers of people."""
    there = column.drop_null()
    different = len(there.unique())
    return different <= FEW // 2 and FEW * different <= len(there)


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)  # firstName is two words


def _repeats(column: Any) -> bool:
    """Say whether rows have values in common, as where some people or households have several; two namesakes in a table are not enough."""
    there = column.drop_null()
    return len(there.unique()) <= REPEATING * len(there)


def _whole(column: Any) -> bool:
    numbers = numbers_of(column)
    return numbers is not None and bool(np.all(np.trunc(numbers) == numbers))


def _fractions(column: Any) -> bool:
    texts = texts_of(column)
    if texts is None:
        return numbers_of(column) is not None and not _whole(column)
    return bool(pc.any(pc.match_substring_regex(texts.values, r"\d[.,]\d{3}")).as_py())


def weights(name: str, column: Any) -> bool:
    """Whether a column seems to hold survey weights: named so, none below zero, and not what people weigh."""
    words = _words(name)
    numbers = numbers_of(column)
    if numbers is None or not WEIGHTS.search(words) or OF_BODIES.search(words):
        return False
    if numbers.min() < 0 or numbers.max() == 0:
        return False
    fractions = bool(np.any(np.trunc(numbers) != numbers))
    if BARE.match(name) and numbers.max() <= HEAVIEST:  # kilograms have one decimal at most
        return bool(np.any(np.abs(numbers * 10 - np.rint(numbers * 10)) > 1e-6))
    return fractions or len(np.unique(numbers)) > 2
