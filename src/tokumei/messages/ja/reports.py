"""Japanese for what is said by reports and charts."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "The table changed while it was read; run it again once nothing writes to it.": "読み込み中に表が変更されました。書き込みが終わってから、もう一度実行してください。",
    "advise takes a plan, or a release and the original table.": "advise には計画、または公開データと元の表を渡してください。",
    "no release could be made to compare changes with: {why}": "変更と比較するための公開データを作れませんでした：{why}",
    "the release does not say enough of how it was made to change it; give the plan.": "公開データには、変更を加えるのに十分な作成方法の情報がありません。計画を指定してください。",
    (
        "A PDF needs Chromium, Chrome or Edge, and none was found; install one, name it in {variable}, or print "
        "the HTML report from any browser."
    ): (
        "PDF の作成には Chromium、Chrome、Edge のいずれかが必要ですが、見つかりませんでした。インストールするか、"
        "{variable} に指定するか、HTML の報告書をブラウザから印刷してください。"
    ),
    "Chart files need vl-convert; install it with: pip install 'tokumei[plots]'.": (
        "図のファイルを作るには vl-convert が必要です。次のようにインストールしてください：pip install 'tokumei[plots]'"
    ),
    "Charts need altair and vl-convert; install them with: pip install 'tokumei[plots]'.": (
        "図を作るには altair と vl-convert が必要です。次のようにインストールしてください：pip install 'tokumei[plots]'"
    ),
    "a page needs at least one chart.": "ページには少なくとも一つの図が必要です。",
    "a plan names its own table, schema and steps; give only the plan.": "計画には表、スキーマ、手順が含まれています。計画だけを指定してください。",
    "a private report needs the schema of the original.": "内部用の報告書には、元のデータのスキーマが必要です。",
    "an approval needs the plan: report on the plan, not on the release alone.": "承認には計画が必要です。公開データだけではなく、計画について報告書を作ってください。",
    "before and after must name the same risks, and at least one.": "before と after には、同じリスクを少なくとも一つ指定してください。",
    "both matrices must have one row and one column for each name.": "どちらの行列にも、名前ごとに 1 行と 1 列が必要です。",
    "columns and shares must have the same length, and at least one entry.": "columns と shares は同じ長さで、少なくとも一つの要素が必要です。",
    "each box must end after it begins, and there must be two names.": "それぞれの範囲の終わりは始まりより後でなければならず、名前は二つ必要です。",
    "each column must be named once.": "それぞれの列は一度だけ指定してください。",
    "each label must occur once.": "それぞれのラベルは一度だけ現れなければなりません。",
    "every number of a chart must be finite.": "図の数値はすべて有限でなければなりません。",
    "labels and shares must have the same length, and at least one entry.": "labels と shares は同じ長さで、少なくとも一つの要素が必要です。",
    "low and high must have one row per group and two columns, counts one number per group.": "low と high はグループごとに 1 行、2 列で、counts はグループごとに一つの数でなければなりません。",
    (
        "no release has both a risk and {measure!r}, so there is nothing to draw; choose another measure, such "
        "as 'marginals'."
    ): (
        "リスクと{measure!r}の両方がある公開データがないため、描くものがありません。'marginals' "
        "のような別の指標を選んでください。"
    ),
    "nothing has the score {score!r}, so there is nothing to draw.": "スコア{score!r}をもつものがないため、描くものがありません。",
    "numbers of {name} must be above 0 on a logarithmic axis.": "対数軸では、{name} の数値は 0 より大きくなければなりません。",
    "only the data holder approves a release; leave out approver, or make the private report.": "公開を承認するのはデータ保有者だけです。approver を外すか、内部用の報告書を作ってください。",
    "points must have two columns, and groups one number per point.": "points は 2 列、groups は点ごとに一つの数でなければなりません。",
    "report takes a plan, a release, or the path of one.": "report には、計画、公開データ、またはそのパスを指定してください。",
    "score must be 'accuracy' or 'auc'. Got {score!r}.": "score は 'accuracy' か 'auc' でなければなりません。指定された値は{score!r}です。",
    "shares must be at least 0 and add up to at most 1.": "shares は 0 以上で、合計が 1 以下でなければなりません。",
    "sizes must hold the size of each equivalence class, whole numbers of at least 1.": "sizes には、それぞれの同値類の大きさを 1 以上の整数で指定してください。",
    "side must be 'both', 'released' or 'reconstructed'. Got {side!r}.": "side は 'both'、'released'、'reconstructed' のいずれかでなければなりません。指定された値は{side!r}です。",
    "there is no column {name!r} to draw.{hint}": "描画する列{name!r}がありません。{hint}",
    "there must be at least one card.": "少なくとも一つのカードが必要です。",
    "there must be at least one point to draw.": "描画する点が少なくとも一つ必要です。",
    "there must be two names, and labels for all points or for none.": "名前は二つ必要で、ラベルはすべての点に付けるか、まったく付けないかのどちらかです。",
    "trace must hold at least one step with a gap above 0.": "trace には、差が 0 より大きい反復が少なくとも一つ必要です。",
    "trace must hold pairs of a log-likelihood and its gap, such as IterativeBayes.trace_.": "trace には、IterativeBayes.trace_ のような、対数尤度とその差の組を指定してください。",
    "{browser} could not print the report; print the HTML report from a browser.": "{browser} で報告書を印刷できませんでした。HTML の報告書をブラウザから印刷してください。",
    "{browser} printed nothing; print the HTML report from a browser.": "{browser} は何も印刷しませんでした。HTML の報告書をブラウザから印刷してください。",
    "{target} must end in .html.": "{target} は .html で終わらなければなりません。",
    "{target} must end in .svg, .png or .html.": "{target} は .svg、.png、.html のいずれかで終わらなければなりません。",
    "{variable} names {asked}, which is not a program; name a Chromium or Chrome.": "{variable} に指定された {asked} はプログラムではありません。Chromium または Chrome を指定してください。",
    "tried must be at least 1. Got {tried}.": "tried は 1 以上でなければなりません。指定された値は {tried} です。",
    "the method was chosen by looking at the rows, so no epsilon can be stated; choose it from public numbers alone (tokumei recommend --no-look), or delete [chosen] if somebody chose it without looking.": "手法は行を見て選ばれたため、ε を示すことはできません。公開の数値だけから選ぶか（tokumei recommend --no-look）、行を見ずに選んだのであれば [chosen] を削除してください。",
    "{name!r} was taken for an identifier: it has too many different values. Draft a plan with tokumei init, and describe it there.": "{name!r}は異なる値が多すぎるため、識別子とみなされました。tokumei init で計画の下書きを作り、そこで記述してください。",
    "The purpose must be 'tables', 'records', or 'model:' and the column to be predicted, such as 'model:income'. Got {given!r}.": "用途は 'tables'、'records'、または 'model:' に予測する列を続けたもの（例：'model:income'）でなければなりません。指定された値は{given!r}です。",
    "A model predicts categories or numbers, and {target!r} has neither; choose another column, or the purpose 'tables'.": (
        "モデルで予測できるのはカテゴリーの列か数値の列で、{target!r}はそのどちらでもありません。ほかの列を選ぶか、目的を 'tables' にしてください。"
    ),
    "A model can predict {possible}, and not {target!r}.{hint}": "モデルで予測できる列は{possible}で、{target!r}ではありません。{hint}",
    "a table needs its schema; the path of a file or of a plan does not.": "表にはスキーマが必要です。ファイルや計画のパスを指定する場合は不要です。",
    "an attacker knows between 1 and {rows:,} people. Got {known}.": "攻撃者が知っている人数は 1 から {rows:,} までです。指定された値は {known} です。",
    "sample must be at least 1. Got {sample}.": "sample は 1 以上でなければなりません。指定された値は {sample} です。",
    "There is no quasi-identifier; say which columns an attacker may know about a person.": "準識別子がありません。攻撃者が個人について知りうる列を指定してください。",
    "a file or a plan says itself what its columns are; leave out the schema and the steps.": "ファイルや計画は列を自ら示すため、スキーマと前処理は指定しないでください。",
    "An epsilon, which differencing and membership need, and a choice without looking, hold only where every domain is declared. Declare those of {observed} in the plan (tokumei init drafts one), and delete their lines 'observed'.": "差分と所属の義務に必要な ε、および行を見ない選択は、すべての定義域が宣言されている場合にのみ成り立ちます。計画（tokumei init で下書きできます）で{observed}の定義域を宣言し、その 'observed' の行を削除してください。",
    "no method meets the duties, so none is recommended; see what is nearest.": "義務を満たす手法がないため、推奨はありません。最も近いものを参照してください。",
    "a plan needs the file of the rows; recommend(path, ...) knows it, or use anonymize().": "計画には行のファイルが必要です。recommend(path, ...) のようにパスを渡すか、anonymize() を使ってください。",
}
