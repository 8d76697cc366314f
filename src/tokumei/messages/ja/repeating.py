"""Japanese for what is said about draws that repeat."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "A release was made from another table, or with another schema or other steps; give the tables in the order of the releases.": (
        "別の表、別のスキーマ、または別の前処理から作られた公開データがあります。表は公開データと同じ順に指定してください。"
    ),
    "A release was made without repeat, so its draws repeat nowhere; leave it out.": (
        "repeat を使わずに作られた公開データがあり、その乱数はどこでも繰り返されません。その公開データを外してください。"
    ),
    "A release was shuffled with a seed, so nothing can be promised; make it without a seed.": (
        "シードで並べ替えられた公開データがあるため、何も保証できません。シードを使わずに作り直してください。"
    ),
    "Column {column!r} says whose draws are repeated, and {lost:cell|cells} of it {lost:|is|are} missing; fill them in.": (
        "列{column!r}は誰の乱数を繰り返すかを示しますが、{lost:,} 個のセルが欠測です。埋めてください。"
    ),
    (
        "Draws repeat for people with one row each, and the schema has a column of role 'person'; make it an identifier if no two "
        "rows belong to one person."
    ): (
        "乱数を繰り返せるのは 1 人 1 行の表だけですが、スキーマには役割が 'person' の列があります。"
        "どの 2 行も別の人のものであれば、その列を識別子にしてください。"
    ),
    (
        "Draws repeat for people with one row each, and {column!r} has the role 'person', for people with several; give it the role "
        "'identifier' if everyone has one row."
    ): (
        "乱数を繰り返せるのは 1 人 1 行の表だけですが、{column!r}の役割は、複数の行をもつ人のための 'person' です。"
        "全員が 1 行だけであれば、役割を 'identifier' にしてください。"
    ),
    (
        "Draws repeat for people with one row each, and {column!r} has {people:person|people} for {rows:row|rows}; release one row "
        "per person, or leave repeat out."
    ): (
        "乱数を繰り返せるのは 1 人 1 行の表だけですが、{column!r}では {rows:,} 行に対して {people:,} 人です。"
        "1 人 1 行にするか、repeat を外してください。"
    ),
    (
        "Draws that repeat show which rows of two releases are one person's, and with them which block it was in; shuffle all rows "
        "(shuffle='rows')."
    ): (
        "繰り返される乱数からは、二つの公開データのどの行が同じ人のものかが分かり、その人がどのブロックにいたかも分かります。"
        "すべての行を並べ替えてください（shuffle='rows'）。"
    ),
    "Give one --plan for each release, in the same order.": "--plan は、公開データと同じ数だけ、同じ順に指定してください。",
    "PRAM is given its matrices, so there is no noise to take from an earlier release; leave like out.": (
        "PRAM の行列は指定されたものなので、以前の公開データから引き継ぐノイズはありません。like を外してください。"
    ),
    "Patterns are counted over at least two releases, all made under one key.": (
        "型を数えるには、一つの鍵で作られた公開データが少なくとも二つ必要です。"
    ),
    "Patterns were counted for other releases, or for these in another order; count them again.": (
        "型は、別の公開データ、または別の順序について数えられています。数え直してください。"
    ),
    "Patterns were counted for releases that were all made under one key, and these were not; combine those under the key.": (
        "型は、すべて一つの鍵で作られた公開データについて数えるものですが、指定された公開データはそうではありません。その鍵によるものだけを合わせてください。"
    ),
    "The earlier release describes {name!r} otherwise; describe it as there, or leave like out.": (
        "以前の公開データでは、{name!r}の記述が異なります。同じ記述にするか、like を外してください。"
    ),
    "The earlier release perturbs other columns; perturb the same ones, or leave like out.": (
        "以前の公開データでは、別の列が攪乱されています。同じ列を攪乱するか、like を外してください。"
    ),
    "The earlier release says in its column {label!r} what rows tell; rename the table's own.": (
        "以前の公開データでは、行が何を伝えるかを列{label!r}が示しています。表にある同名の列の名前を変えてください。"
    ),
    "The earlier release was made with another {name}; leave it as it was there, or leave like out.": (
        "以前の公開データは、別の {name} で作られています。そのときと同じにするか、like を外してください。"
    ),
    (
        "The earlier release was not made under this key, so its draws cannot be repeated; leave like out, or give the key that it "
        "was made under."
    ): (
        "以前の公開データはこの鍵で作られていないため、その乱数を繰り返せません。like を外すか、そのときの鍵を指定してください。"
    ),
    "The method repeats draws, and its key did not reach the draws; nothing was released.": (
        "この手法は乱数を繰り返しますが、鍵が渡されていません。何も公開されていません。"
    ),
    "The method repeats draws, and nothing says whose row each is; nothing was released.": (
        "この手法は乱数を繰り返しますが、どの行が誰のものかを示すものがありません。何も公開されていません。"
    ),
    "The release repeats draws under a key whose name is not possible.": (
        "公開データの乱数を繰り返す鍵の名前が、あり得ないものです。"
    ),
    "The release says that its draws repeat, and was made in a way in which they cannot.": (
        "公開データは乱数を繰り返すと述べていますが、それができない方法で作られています。"
    ),
    "The table has no column {column!r}, which says whose draws are repeated.{hint}": (
        "誰の乱数を繰り返すかを示す列{column!r}が表にありません。{hint}"
    ),
    (
        "k = {k:g} does not hold: the noise of the earlier release guarantees k = {guaranteed} for this table. Ask for that, or leave "
        "like out and draw anew; next time ask the first release for a larger k than its successors."
    ): (
        "k = {k:g} は成り立ちません。以前の公開データのノイズがこの表に保証するのは k = {guaranteed} です。その値を指定するか、like を外して引き直してください。"
        "次からは、最初の公開データの k を後のものより大きくしておいてください。"
    ),
    (
        "epsilon = {epsilon:g} does not hold: the noise of the earlier release does not keep it for this table. Ask for a larger one, or "
        "leave like out and draw anew."
    ): (
        "epsilon = {epsilon:g} は成り立ちません。以前の公開データのノイズでは、この表に対してこの値を守れません。"
        "より大きい値を指定するか、like を外して引き直してください。"
    ),
    "like takes an earlier release, or the path of its folder.": (
        "like には、以前の公開データか、そのフォルダのパスを指定してください。"
    ),
    (
        "repeat is for releases of whole tables: who is sampled once and not the next time would stand out; leave sample out."
    ): (
        "repeat は表全体を公開する場合のためのものです。あるときは抽出され、次には抽出されない人が目立ってしまいます。sample を外してください。"
    ),
    "repeat keeps its noise from release to release; give split as weights, not as one to be computed.": (
        "repeat では、公開のたびに同じノイズを使います。split には、計算させるのではなく、重みを指定してください。"
    ),
    (
        "repeat needs a column that identifies people, and {column!r} has the role {role!r}; give it the role 'identifier', which is "
        "dropped."
    ): (
        "repeat には人を識別する列が必要ですが、{column!r}の役割は {role!r} です。役割を 'identifier' にしてください（公開時に取り除かれます）。"
    ),
    "repeats is for releases whose draws repeat under the same key, and these do not.": (
        "repeats は、同じ鍵で乱数が繰り返される公開データのためのものですが、指定された公開データはそうではありません。"
    ),
    "hold_back takes a list of the tables that were released before, one at least.": (
        "hold_back には、これまでに公開した表のリスト（一つ以上）を指定してください。"
    ),
    "A table has no column {lacking}.": "{lacking} という列のない表があります。",
    "The last table has no column {lacking}.": "直前の表に {lacking} という列がありません。",
    "repeats takes a list of tables and a list of as many releases.": (
        "repeats には、表のリストと、同じ数の公開データのリストを指定してください。"
    ),
    "{plan} has no repeat, so the draws of its release repeat nowhere.": (
        "{plan} には repeat がないため、その公開データの乱数はどこでも繰り返されません。"
    ),
}
