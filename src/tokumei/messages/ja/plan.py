"""Japanese for what is said by plans."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "init needs a file, or a database and its table (--database and --table), not both.": (
        "init には、ファイル、またはデータベースとその表（--database と --table）のどちらか一方が必要です。"
    ),
    "init needs a table of the database (--table). {tables}": "init には、データベースの表の名前（--table）が必要です。{tables}",
    "It has {tables}.": "次の表があります：{tables}。",
    "It has {count:,}, such as {tables}.": "{count:,} 個の表があります（例：{tables}）。",
    "It has none that you may read.": "読み取りを許可された表はありません。",
    "the method {name!r} does not have {parts}; delete what is named here from [method], and keep {kept}.": (
        "手法{name!r}には{parts}がありません。ここに挙げたものを [method] から削除し、{kept}はそのまま残してください。"
    ),
    "a codebook is for files, and these rows are in a database.": "コードブックはファイルのためのものですが、この行はデータベースにあります。",
    "The rows of this plan are in a database, not in a file.": "この計画の行は、ファイルではなくデータベースにあります。",
    "The table has no rows to draft a plan from.": "表に行がないため、計画の下書きを作れません。",
    "There is no column {person!r} in the table.{hint}": "表に列{person!r}はありません。{hint}",
    "a database needs a table or a query, not both.": "データベースには、table と query のどちらか一方を指定してください。",
    (
        "a hierarchy is the name of a file, { groups = … } or { edges = … }, or in the schema also "
        "{ masks = … }, { dates = … } or { order = … }."
    ): (
        "階層には、ファイル名、{ groups = … }、{ edges = … } のいずれかを指定してください。スキーマでは "
        "{ masks = … }、{ dates = … }、{ order = … } も使えます。"
    ),
    "a source needs a path or a database, not both.": "入力には、path と database のどちらか一方を指定してください。",
    "a table or a query needs a database.": "table や query を指定するには、database が必要です。",
    "an output into a database needs database and table.": "データベースへの出力には、database と table が必要です。",
    "formulas = 'quote' is for format = 'csv'.": "formulas = 'quote' は format = 'csv' のときに使います。",
    "it is larger than {size}, the most that is read.": "読み込める上限の {size} を超えています。",
    "{file} is a table, not a plan; tokumei init drafts a plan for it.": "{file} は計画ではなく表です。計画の下書きは tokumei init で作れます。",
    "it is not valid TOML: {error}.": "正しい TOML ではありません（{error}）。",
    "tables and lists are nested more than {deepest} levels deep.": "表やリストの入れ子が {deepest} 段を超えています。",
    "the levels of {{ {rule} = … }} are a list.": "{{ {rule} = … }} の段は、リストで指定してください。",
    "the levels of {{ {rule} = … }} are whole numbers.": "{{ {rule} = … }} の段は、整数で指定してください。",
    "the plan holds a table of its own, such as a pilot, which a plan file can only name by path.": "計画に予備データなどの表そのものが含まれていますが、計画ファイルにはパスでしか書けません。",
    "the plan holds a table of its own, such as a pilot, which a program can only read from a file.": "計画に予備データなどの表そのものが含まれていますが、プログラムではファイルからしか読み込めません。",
    'the schema must have one section per column, such as [schema."age"].': 'スキーマには、[schema."age"] のように列ごとに一つの節が必要です。',
    "the method {name!r} needs {parts}; write under [method], for example: {lines}.": "手法{name!r}には{parts}が必要です。[method] に、例えば次のように書いてください：{lines}。",
    "the section {lacking} is missing.": "節{lacking}がありません。",
    "the steps before the method are a list; write [[prepare]] above each.": "手法の前の手順はリストです。それぞれの上に [[prepare]] と書いてください。",
    "there is no section [{section}] in a plan.{hint}": "計画に節 [{section}] はありません。{hint}",
    "whole numbers must lie between -{whole:,} and {whole:,}.": "整数は -{whole:,} と {whole:,} の間でなければなりません。",
    "{file}: {error}": "{file}：{error}",
}
