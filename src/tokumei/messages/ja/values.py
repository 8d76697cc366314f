"""Japanese for what is said by values and registries."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "The extension {name!r} cannot be imported ({kind}: {error}).": "拡張{name!r}をインポートできません（{kind}：{error}）。",
    "There is another {tag} called {name!r}: {module}.{kind}.": "{name!r}という {tag} がすでにあります：{module}.{kind}",
    "a list": "リスト",
    "a number": "数",
    "a table of names and values": "名前と値の表",
    "a whole number": "整数",
    "an object of its kind, or a table with its parts": "その種類のオブジェクト、またはその要素の表",
    "greater than or equal to {ge}": "{ge} 以上",
    "greater than {gt}": "{gt} より大きい値",
    "less than or equal to {le}": "{le} 以下",
    "less than {lt}": "{lt} 未満",
    "needs {tag!r}, which says what kind it is.": "種類を示す{tag!r}が必要です。",
    "true or false": "true か false",
    (
        "{kind} must be a @value with the field {tag}: Literal['its_name'] = field(default='its_name', "
        "kw_only=True, repr=False)."
    ): (
        "{kind} は、フィールド {tag}: Literal['its_name'] = field(default='its_name', kw_only=True, repr=False) "
        "をもつ @value でなければなりません。"
    ),
    "{kind}: a number in it is too large to count with.": "{kind}：計算できないほど大きな数が含まれています。",
    "{kind}: takes at most {most} positional arguments.": "{kind}：位置引数は {most} 個までです。",
    "{kind}: {problem}": "{kind}：{problem}",
    "{one} or {other}": "{one}か{other}",
    "{others} or {last!r}": "{others}{last!r}のいずれか",
    "{path!r} is missing.": "{path!r}がありません。",
    "{path!r} is not known here.{hint}": "{path!r}はここでは使えません。{hint}",
    "{path!r} must be {wanted}.{hint}": "{path!r}は{wanted}でなければなりません。{hint}",
    "{path} needs {tag!r}, which says what kind it is.": "{path} には、種類を示す{tag!r}が必要です。",
    "{path}: {problem}": "{path}：{problem}",
    "{wanted}.{hint}": "{wanted}でなければなりません。{hint}",
    "{where} must be one of {known}.{hint}": "{where} は{known}のいずれかでなければなりません。{hint}",
    "This must be filled in.": "この項目を入力してください。",
    "This must be {wanted}.": "{wanted}でなければなりません。",
}
