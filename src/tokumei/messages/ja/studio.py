"""Japanese for what is said by the studio and the command line."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "advice is measured on the original: give --original or --plan.": "助言は元の表で測定します。--original または --plan を指定してください。",
    "a plan names its own table; give --original or --plan, not both.": "計画は自身の表を指定しています。--original と --plan のどちらか一方を指定してください。",
    "--take writes a changed plan, so give --plan and --advise too.": "--take は変更した計画を書き出します。--plan と --advise も指定してください。",
    "there is no change {take}; there are {changes:,}.": "変更 {take} はありません。変更は {changes:,} 件です。",
    "a ladder needs at least one rung.": "段階が一つ以上必要です。",
    " The score of a model: more is better.": "モデルのスコアは、大きいほど良い値です。",
    "--bins must hold numbers or dates. Got {whole!r}.": "--bins には数値または日付を指定してください。指定された値は{whole!r}です。",
    "--bins must look like age=10 or age=17:30:60. Got {text!r}.": "--bins は age=10 や age=17:30:60 のように指定してください。指定された値は{text!r}です。",
    "--k must hold numbers separated by commas. Got {given!r}.": "--k には、カンマで区切った数を指定してください。指定された値は{given!r}です。",
    "--measure must be one of {known}.{hint}": "--measure は{known}のいずれかでなければなりません。{hint}",
    "--rows are predicted by a model; name its column with --target.": "--rows はモデルで予測されます。予測する列を --target で指定してください。",
    "At most {size:,} of {rows:,} rows may be released.": "{rows:,} 行のうち、公開できるのは {size:,} 行までです。",
    "By sampling, {name} is kept with probability {sampled:.3f}, all rows released {before:.3f}.": (
        "標本抽出により、{name} がそのまま残る確率は {sampled:.3f} になります（すべての行を公開する場合は "
        "{before:.3f}）。"
    ),
    "Choose a method first; without one there is nothing to run.": "先に手法を選んでください。手法がなければ、実行するものがありません。",
    (
        "Each row tells a few columns, drawn at random, and is blank in the others. What it tells is kept, or "
        "replaced at random:"
    ): (
        "どの行も、無作為に選ばれた少数の列だけを伝え、ほかの列は空欄になります。伝えた値は、そのまま残るか、"
        "無作為に置き換えられます："
    ),
    (
        "From a sample of {size:,}, an attacker who knows {known:,} of {rows:,} people, but not who was sampled, "
        "links a row with a probability of at most {numerator}/{denominator} (k = {k:.6g})."
    ): (
        "{size:,} 行の標本から、{rows:,} 人のうち {known:,} 人を知り、"
        "誰が抽出されたかを知らない攻撃者が行を結び付ける確率は、最大で {numerator}/{denominator} です（k = "
        "{k:.6g}）。"
    ),
    "Guessed that an attacker may know {known}. Choose others with --qi, or give a plan.": "攻撃者が知りうる列を{known}と推測しました。別の列は --qi で指定するか、計画を使ってください。",
    "Guessed:": "推測した役割：",
    (
        "Less is better. Pairs and marginals are the distances of tables of two columns and of one (0 identical, "
        "1 nothing in common); told apart is how well released rows can be told from original ones (0 not at "
        "all)."
    ): (
        "小さいほど良い値です。pairs と marginals は、二つの列と一つの列の表のずれです（0 は同一、1 "
        "は共通部分なし）。told apart は、公開された行を元の行とどれだけ見分けられるかです（0 "
        "はまったく見分けられない）。"
    ),
    "Marital status": "婚姻状況",
    "Now try:": "次に試せること：",
    "Only the example's rows are written; the original stays where it is.": "書き出されるのは例の行だけです。元のデータは元の場所に残ります。",
    "Pass it to a model as sample_weight. For tables --columns is better, for predictions --target.": (
        "この列を sample_weight としてモデルに渡してください。表には --columns、予測には --target "
        "のほうが適しています。"
    ),
    "Predict your own rows with --rows FILE, or in Python: {program}": "--rows FILE で手元の行を予測できます。Python では次のようにします：{program}",
    (
        "Risk is 1/k of what each method guarantees, against its own attacker. Generalized and averaged rows: "
        "one who knows the quasi-identifiers and nothing else. Perturbed rows: one who may know the whole "
        "original table."
    ): (
        "リスクは、それぞれの手法が想定する攻撃者に対して保証する 1/k です。一般化や平均をした行では、"
        "準識別子だけを知る攻撃者です。攪乱された行では、元の表全体を知りうる攻撃者です。"
    ),
    (
        "Sample {best:.1%} of the rows: values are then kept with probability {kept:.3f}; without sampling, "
        "{alone:.3f}."
    ): ("行の {best:.1%} を抽出すると、値がそのまま残る確率は {kept:.3f} になります（抽出しない場合は {alone:.3f}）。"),
    "The archive could not be written: {reason}.": "アーカイブを書き出せませんでした。{reason}。",
    "The first released rows:": "公開された最初の行：",
    "The file could not be kept: {reason}.": "ファイルを保存できませんでした。{reason}。",
    "The file has no known file extension; tokumei reads {read}.": "ファイルの拡張子は知られていません。tokumei が読み込めるのは {read} です。",
    "The file is larger than {limit:byte|bytes}; start the studio with its path.": "ファイルが {limit:,} バイトを超えています。そのパスを指定してスタジオを起動してください。",
    "The file is larger than {size:,.0f} MiB; start the studio with its path instead.": "ファイルが {size:,.0f} MiB を超えています。代わりに、そのパスを指定してスタジオを起動してください。",
    "The fit has NOT converged after {steps:step|steps} (log-likelihood at most {gap:.2g} below the best).": "{steps:,} 回の反復で収束していません（対数尤度は最適な値より最大 {gap:.2g} 低い）。",
    "The fit has converged after {steps:step|steps} (log-likelihood at most {gap:.2g} below the best).": "{steps:,} 回の反復で収束しました（対数尤度は最適な値より最大 {gap:.2g} 低い）。",
    "The guarantee holds against attackers who do not know who was sampled.": "この保証は、誰が抽出されたかを知らない攻撃者に対するものです。",
    (
        "The hierarchies have more than {largest_lattice:,} combinations of levels; give them fewer levels, or fewer "
        "columns the role of a quasi-identifier."
    ): "階層の段の組合せが {largest_lattice:,} 通りを超えています。段を減らすか、準識別子の役割を与える列を減らしてください。",
    "The studio needs NiceGUI; install it with: pip install 'tokumei[studio]'.": "スタジオには NiceGUI が必要です。次のようにインストールしてください：pip install 'tokumei[studio]'",
    "The studio opens one file; run a plan for a folder of files.": "スタジオで開けるのは一つのファイルです。フォルダのファイルには計画を実行してください。",
    "The {most} largest of {cells:,} cells; write all of them with --output.": "{cells:,} セルのうち大きいものから {most} セルです。すべてを書き出すには --output を指定してください。",
    (
        "The rows are shuffled. Income is released unchanged, so the noise is made strong enough for an "
        "attacker who knows even that: a person hides among at least {among:,} rows. What follows is proven:"
    ): (
        "行は並べ替えられます。収入はそのまま公開されるため、"
        "それさえ知っている攻撃者に対しても十分なノイズを加えます。どの人の候補も {among:,} 行以上あります。"
        "次のことが証明されています："
    ),
    "There is no quasi-identifier yet; say which columns an attacker may know about a person.": "まだ準識別子がありません。攻撃者がある人について知りうる列を指定してください。",
    "There is nothing to redo.": "やり直すものがありません。",
    "There is nothing to undo.": "元に戻すものがありません。",
    "These levels do not keep k = {k}; choose coarser ones, or a smaller k.": "これらの段では k = {k} を満たしません。より粗い段か、より小さい k を選んでください。",
    "This file is no longer there; upload it again.": "このファイルはもうありません。もう一度アップロードしてください。",
    (
        "Two questions, answered from the original, from the released rows that tell the answer, and from a model "
        "of all columns, fitted to the release. The recipient has only the release. Its mechanism is public, so "
        "the model can take the noise out."
    ): (
        "二つの問いに、元のデータ、問いの列を伝える公開された行、公開データに当てはめた全列のモデルから答えます。"
        "受領者が持っているのは公開データだけです。機構は公開されているので、モデルはノイズを取り除くことができます。"
    ),
    "Who earns over 50k, by schooling": "50k を超える収入のある人の割合（学歴別）",
    "Wrote {paths}. They are for the data holder only: they say things about the original.": "{paths} に書き出しました。元のデータについての情報を含むため、データ保有者だけのものです。",
    "Wrote {path} ({cells:,} cells).": "{path} に書き出しました（{cells:,} セル）。",
    (
        "Wrote {path} ({rows:row|rows} with the column {title!r}; after the noise, they tell about one column no "
        "more than {worth})."
    ): (
        "{path} に書き出しました（{rows:,} 行、列{title!r}を追加）。ノイズのため、"
        "これらから一つの列について分かることは、{worth}と同じ程度までです。"
    ),
    "Wrote {path} ({rows:row|rows}).": "{path} に書き出しました（{rows:,} 行）。",
    (
        "[bold red]{share:.0%} of them have a unique combination[/] of these. Anyone who knows these few facts "
        "about a neighbor can find their row, and with it their income."
    ): (
        "[bold red]そのうち {share:.0%} は、これらの組合せが一意です[/]。"
        "隣人についてこれらのわずかな事実を知っていれば、誰でもその人の行を、そして収入を知ることができます。"
    ),
    "[bold]1  A table of people": "[bold]1  人々の表",
    "[bold]2  A guarantee": "[bold]2  保証",
    "[bold]3  Wrong answers, and right ones": "[bold]3  誤った答えと正しい答え",
    "[bold]4  A release": "[bold]4  公開データ",
    "[bold]{output}[/] holds the rows and a manifest that says how they were made. Nothing else was released.": (
        "[bold]{output}[/] に、行と、それがどのように作られたかを示すマニフェストがあります。"
        "ほかには何も公開されていません。"
    ),
    "[dim]off by, on average": "[dim]平均のずれ",
    "a database needs the name of a table.": "データベースには表の名前が必要です。",
    "a page has 1 to {largest_page} records. Got {size}.": "1 ページに表示できるのは 1 件から {largest_page} 件までです。指定された値は {size} です。",
    "a plan already says how its rows are read; leave out {options}.": "行の読み方は計画で定められています。{options} を外してください。",
    "a plan already gives the roles of columns; leave out --qi and --sensitive.": "列の役割は計画で定められています。--qi と --sensitive を外してください。",
    "a slice needs two different columns.": "断面には、異なる二つの列が必要です。",
    "a split is suggested for a k, and the method of the plan has none.": "配分は k に対して提案されますが、計画の手法には k がありません。",
    "a table name is only for databases; a file is already a table.": "表の名前はデータベースのためのものです。ファイルはそれ自体が一つの表です。",
    "at most {most_pinned:method|methods} can be pinned; remove one first.": "固定できる手法は {most_pinned:,} 個までです。先に一つ外してください。",
    "every plan needs a file name of its own, which names it in the table.": "それぞれの計画には、表の中での名前となる、異なるファイル名が必要です。",
    "--{option} is for weights of rows; leave it out, or leave out --columns and --target.": "--{option} は行の重みのためのものです。これを外すか、--columns と --target を外してください。",
    "give --columns for a table or --target for a model, not both.": "表には --columns、モデルには --target のどちらか一方を指定してください。",
    "give --population or --population-table, not both.": "--population と --population-table のどちらか一方を指定してください。",
    "give --qi or --plan to say what an attacker may know, not both.": "攻撃者が知りうるものは、--qi と --plan のどちらか一方で指定してください。",
    "give either --k, for the largest sample, or --sample, for its risk.": "最大の標本を求めるには --k、標本のリスクを求めるには --sample のどちらか一方を指定してください。",
    "k must be a whole number from {smallest} to {largest_k}. Got {k}.": "k は {smallest} から {largest_k} までの整数でなければなりません。指定された値は {k} です。",
    "kinds must be some of {kinds}.": "kinds には{kinds}の中から指定してください。",
    "levels must have one level of each column, from 0 up to its highest.": "levels には、それぞれの列について、0 から最も高い段までの一つの段が必要です。",
    "levels must name every quasi-identifier once, and nothing else.": "levels には、すべての準識別子をそれぞれ一度だけ、ほかのものを含めずに指定してください。",
    "note: {note}": "注：{note}",
    "order must be 'risk' or 'row'. Got {order!r}.": "order は 'risk' か 'row' でなければなりません。指定された値は{order!r}です。",
    "original": "元のデータ",
    "page must be from 0 to {last}. Got {page}.": "page は 0 から {last} まででなければなりません。指定された値は {page} です。",
    "port must be between 0 and 65535. Got {port}.": "port は 0 から 65535 まででなければなりません。指定された値は {port} です。",
    "port {port} cannot be used: {reason}; choose another, or leave it out.": "ポート {port} は使えません（{reason}）。別のポートを選ぶか、指定を外してください。",
    "reconstructed": "再構築",
    "released": "公開データ",
    "routes compares the columns unprepared; remove the steps of [[prepare]] from the plan.": "routes は前処理していない列を比較します。計画から [[prepare]] の手順を除いてください。",
    "routes generalizes rows, so each k must be a whole number.": "routes は行を一般化するため、k はそれぞれ整数でなければなりません。",
    "suggest is for plans with the method pk_perturbation; tokumei recommend says which method suits.": "suggest は、手法が pk_perturbation の計画のためのものです。どの手法が適しているかは、tokumei recommend で調べられます。",
    "the plans must be for the same table.": "計画は同じ表のものでなければなりません。",
    "this cannot be read: {error}.": "読み取れません（{error}）。",
    "write at least one line.": "少なくとも 1 行を書いてください。",
    "{column!r} does not hold numbers, so it cannot be a quantity.": "{column!r}は数値ではないため、量として扱えません。",
    "{data} has no column that can be compared.": "{data} に、比較できる列がありません。",
    "{few:,.0f} ({least}) to {many:,.0f} ({most}) true rows would": "元の {few:,.0f} 行（{least}）から {many:,.0f} 行（{most}）",
    "{few:,.0f} true rows would": "元の {few:,.0f} 行",
    "{name!r} cannot be changed.{hint}": "{name!r}は変更できません。{hint}",
    "{name!r} is left out: {error}": "{name!r}を除きました。{error}",
    "{name!r} is not a quasi-identifier.{hint}": "{name!r}は準識別子ではありません。{hint}",
    "{output} must end in .html.": "{output} は .html で終わらなければなりません。",
    "{path} must end in .csv or .parquet.": "{path} は .csv か .parquet で終わらなければなりません。",
    "{points:.1f} points": "{points:.1f} ポイント",
    "{program} init YOUR.csv  (and correct the plan.toml that it drafts)": "{program} init YOUR.csv （下書きされた plan.toml を修正してください）",
    "{rows:invented person|invented people}. The names are gone, but {others} and {last} are there.": "{rows:,} 人の架空の人々です。名前はありませんが、{others}、{last} があります。",
    (
        "{shared:,} of the pilot's {rows:row|rows} are also in the table to be released, more than independent "
        "people would share, so the split would reveal something about it. Use a pilot of other people."
    ): (
        "予備データの {rows:,} 行のうち {shared:,} 行が、公開する表にもあります。"
        "無関係な人々の場合よりも多いため、配分から表について何かが明らかになります。"
        "別の人々の予備データを使ってください。"
    ),
    "{target!r} is not a column that can be predicted.{hint}": "{target!r}は予測できる列ではありません。{hint}",
    "--{option} is for releases whose rows tell every column; each row of this one tells some, so leave it out.": "--{option} は、すべての行がすべての列を伝える公開データのためのものです。この公開データの行は一部の列だけを伝えるので、外してください。",
    "Wrote {path} ({rows:complete row|complete rows}).": "{path} に書き出しました（完全な行 {rows} 行）。",
    "The same stands in {files}.": "同じ内容は {files} にもあります。",
    (
        "Each is drawn from what its released row leaves open, so it is nobody's. For tables --columns is better, for "
        "predictions --target."
    ): "どの行も、公開された行から考えられるものから無作為に選んだもので、誰の行でもありません。表には --columns、予測には --target のほうが適しています。",
    (
        "Estimated by one model of all columns with {classes:class|classes}; its tables of two columns differ by {spread:.1%} "
        "between starts."
    ): "すべての列のモデル（クラス数 {classes}）による推定です。2 列の表は、推定の初期値によって {spread:.1%} 異なります。",
    "Labels say too little about what they hide, so people are spread evenly over the values of a label.": "ラベルの中で人がどう分布するかはほとんど分からないため、ラベルが表す値に均等に割り振っています。",
    "Suppressed cells say nothing, so they are spread evenly over the values that they may stand for.": "抑制されたセルからは何も分からないため、取りうる値に均等に割り振っています。",
    "No column has noise, so the released rows are counted as they are.": "どの列にもノイズがないため、公開された行をそのまま数えています。",
    "By sampling, what a row tells is kept with probability {sampled}, all rows released {before}.": "標本抽出により、行が伝える値は確率 {sampled} で維持されます（全行を公開する場合は {before}）。",
    "This project cannot be read; it is damaged, or of another version.": "この作業は読み込めません。壊れているか、別のバージョンのものです。",
    "The plan's table {path} is not there; open the table first, then the plan.": "計画の表 {path} がありません。先に表を開き、それから計画を開いてください。",
    "The studio opens a table of a database, not a query; run the plan instead.": "スタジオで開けるのはデータベースの表で、問い合わせは開けません。代わりに計画を実行してください。",
    "The table {name!r} is no longer there; hand it over again.": "表{name!r}がもうありません。もう一度渡してください。",
    "The table of this project has other columns now; open it anew.": "この作業の表の列が変わっています。表を新しく開いてください。",
    "The plan is for a table with other columns: {columns}.": "この計画は、列の異なる表のためのものです（{columns}）。",
    "The project cannot be removed: {reason}.": "作業を削除できません（{reason}）。",
    "The markers of missing cells can only be set for a CSV file.": "欠測の書き方を指定できるのは、CSV ファイルだけです。",
    "{marker!r} also stands in {columns:column|columns} {others}, where it may be a value, and the file has one list of markers. Correct the file, or give a codebook in the plan that says it of one column only.": "{marker!r}は{others}（{columns} 列）にもあり、そこでは値かもしれません。欠測の記号はファイル全体に効きます。ファイルを直すか、一つの列についてだけ述べるコードブックを計画で指定してください。",
    "The cells are not written as {marker!r} in the file; open it again, and list what stands there as missing.": "ファイルの中では、セルは{marker!r}とは書かれていません。ファイルを開き直し、書かれているものを欠測の記号として指定してください。",
    "Nothing would be left of column {column!r}.": "列{column!r}には何も残らなくなります。",
    "There is no such project.": "そのような作業はありません。",
    "There is no such step in the history.": "履歴にそのようなステップはありません。",
    "{path} already exists; choose another folder.": "{path} はすでに存在します。別のフォルダを選んでください。",
    "{kept} would be released unchanged, and every column must be perturbed; choose that columns released unchanged are perturbed as well, or leave it out": "{kept}がそのまま公開されますが、すべての列を攪乱する必要があります。「そのまま公開する列」を攪乱すると選ぶか、列を外してください",
    "how many rows a person has was counted in the data, and not declared": "1 人が何行もつかが、宣言されずにデータから数えられています",
    "Averages do not say which people of a population a row may belong to; let an interval stand for each group, or leave out the constraints that name a population.": "平均からは、行が母集団のどの人のものでありうるかがわかりません。グループを区間で表すか、母集団を指定する制約を外してください。",
    "{notion} does not hold: the boxes of classes overlap, so that rows of one may stand for people of another; group rows by strict Mondrian cuts, or take the best level for each whole column.": "{notion} が成り立ちません。同値類の範囲が重なっているため、ある同値類の行が別の同値類の人を指しうるからです。Mondrian の厳密な分割か、列全体に最適な段階を使ってください。",
    "Delta-presence does not hold: somebody in the population is in the table with a probability of {low} only, and more is asked for; take the best level for each whole column, or ask for less.": "δ-存在秘匿性が成り立ちません。母集団には、表に含まれる確率が {low} しかない人がいますが、それより大きい値が求められています。列全体に最適な段階を使うか、条件を緩めてください。",
    "A Bernoulli sample may contain everyone, so nothing is guaranteed for certain; choose a fixed size, give the probability with which the guarantee may fail, or draw again above a number of rows.": "ベルヌーイ抽出では全員が標本に入る可能性があるため、確実な保証は何もありません。大きさを固定するか、保証が破れる確率を与えるか、ある行数を超えたら引き直すようにしてください。",
    "A sample of groups cannot also count on equivalence classes of known columns, since how many rows of a class are drawn is chance; choose that columns released unchanged are perturbed as well, leave them out, or perturb without groups.": "グループごとに標本を抽出するときは、知られている列の同値類をあわせて使うことはできません。同値類から何行が抽出されるかは偶然で決まるからです。そのまま公開する列も攪乱するか、列を外すか、グループを使わない攪乱にしてください。",
    "Groups of people with several rows cannot also count on equivalence classes of known columns; choose that columns released unchanged are perturbed as well, leave them out, or perturb without groups.": "複数の行をもつ人がいるときは、グループごとの攪乱で、知られている列の同値類をあわせて使うことはできません。そのまま公開する列も攪乱するか、列を外すか、グループを使わない攪乱にしてください。",
    "No sample within the size was drawn; raise the share that is drawn, or the number of rows above which it is drawn again.": "大きさに収まる標本を抽出できませんでした。抽出する割合か、引き直す行数を大きくしてください。",
    "The number of rows above which a sample is drawn again is so far below the expected size that drawing might never end; raise it.": "標本を引き直す行数が期待される大きさよりはるかに小さいため、抽出が終わらないおそれがあります。大きくしてください。",
    "The number of rows above which a sample is drawn again must be at least 1. Got {redraw_above}.": "標本を引き直す行数は 1 以上でなければなりません。指定された値は {redraw_above} です。",
    "How columns share the noise can be set only where every row tells every column; choose that too, or leave it as usual.": "列の間のノイズの配分は、すべての行がすべての列を示すときだけ指定できます。それも選ぶか、通常のままにしてください。",
    "True rates together with suppressed cells that agree with any value are refused: subtracting the shown cells from them reveals the suppressed ones; give the rates an epsilon, or let suppressed cells agree only with suppressed ones.": "秘匿されたセルがどの値とも一致するとみなすときは、真の割合を公開できません。表示されているセルを差し引くと、秘匿されたセルが分かってしまうためです。割合に ε を与えるか、秘匿されたセル同士だけが一致するようにしてください。",
    "{gone:row|rows} would be suppressed{why}, and only {limit:,} may be; raise the share that may be suppressed, or ask for less.": "{gone:,} 行が秘匿されてしまいます{why}が、許されているのは {limit:,} 行です。秘匿してよい割合を上げるか、条件を緩めてください。",
    "{kept}, released unchanged, may show which rows belong to one household, so it cannot be unknown to attackers; choose that columns released unchanged are known to attackers too, or perturbed as well, or leave it out.": "そのまま公開される{kept}から、どの行が同じ世帯のものかが分かるおそれがあるため、攻撃者に知られていないとはいえません。そのまま公開する列を、攻撃者にも知られているとするか、攪乱するか、外してください。",
    "{kept}, released unchanged, may show which rows belong to one person, so it cannot be unknown to attackers; choose that columns released unchanged are known to attackers too, or perturbed as well, or leave it out.": "そのまま公開される{kept}から、どの行が同じ人のものかが分かるおそれがあるため、攻撃者に知られていないとはいえません。そのまま公開する列を、攻撃者にも知られているとするか、攪乱するか、外してください。",
    "{label!r} is a quasi-identifier, and released strata would release it unchanged; leave the column of strata out, or give it another role.": "{label!r}は準識別子であり、層の列を公開するとそのまま公開されてしまいます。層の列を公開しないか、列に別の役割を与えてください。",
    "{columns} have {size:,} combinations of values together, and a row can tell one of at most {most:,}; tell fewer columns, or fewer cells of a column.": "{columns}には合わせて {size:,} 通りの値の組がありますが、行が示せるのは {most:,} 通りまでです。示す列を減らすか、列のセルを減らしてください。",
    "Top and bottom coding needs a lowest value, a highest value, or both.": "上下限の処理には、最小値、最大値、またはその両方が必要です。",
    "Top and bottom coding needs numbers or dates, and {column!r} has none.": "上下限の処理には数値か日付が必要ですが、{column!r}はどちらでもありません。",
    "Top and bottom coding of {column!r} needs values with a declared step.": "{column!r}の上下限の処理には、刻みを宣言した値が必要です。",
    "Top and bottom coding of {column!r}: the lowest value must not be above the highest.": "{column!r}の上下限の処理：最小値は最大値以下でなければなりません。",
    "Top and bottom coding of {column!r}: {bound} is not one of its values.": "{column!r}の上下限の処理：{bound} は、その列の値ではありません。",
    "Columns known to attackers are known of everyone, but the pseudonym of {column!r} is known only to someone who has its key; choose that columns released unchanged are unknown to attackers, or leave it out.": "攻撃者に知られている列は全員について知られていますが、{column!r}の仮名を知りうるのはその鍵を持つ人だけです。そのまま公開する列を攻撃者に知られていないとするか、仮名を外してください。",
    "{column!r} is text without declared values, which cannot be perturbed; choose that columns released unchanged are unknown to attackers, or leave it out.": "{column!r}は値の宣言がない文字列なので、攪乱できません。そのまま公開する列を攻撃者に知られていないとするか、列を外してください。",
    "its text is not {encoding}, or not as it says; choose another encoding": "文字コードが {encoding} ではないか、ファイルに書かれたものと異なります。別の文字コードを選んでください",
    "{file} is not {encoding} text; choose another encoding.": "{file} は {encoding} のテキストではありません。別の文字コードを選んでください。",
    "There are too many boxes with this many columns; group rows by nearest groups.": "列が多く、範囲の数が多すぎます。「最も近いグループ」で行をまとめてください。",
    "There are too many columns to number their boxes; group rows by nearest groups.": "列が多すぎて、範囲に番号を付けられません。「最も近いグループ」で行をまとめてください。",
    "The nearly exact search takes at most {most_rows:,} rows and a k of at most {largest_k}. Got {rows:,} rows and k = {k}; group rows by local search.": "ほぼ厳密な探索で扱えるのは {most_rows:,} 行以下、k が {largest_k} 以下の場合です。指定されたのは {rows:,} 行、k = {k} です。「局所探索」で行をまとめてください。",
    "The rows that make a neighborhood dense must be a whole number of at least 2. Got {min_samples}.": "近傍を密とみなす行数は 2 以上の整数でなければなりません。指定された値は {min_samples} です。",
    "The smallest size must be a whole number of at least 1. Got {size}.": "最小の大きさは 1 以上の整数でなければなりません。指定された値は {size} です。",
    "The most rows of a part must be a whole number of at least 1. Got {max_rows}.": "一つの部分の最大行数は 1 以上の整数でなければなりません。指定された値は {max_rows} です。",
    "The share of rows that may be suppressed must lie between 0 and 1. Got {limit:g}.": "秘匿してよい行の割合は 0 から 1 まででなければなりません。指定された値は {limit:g} です。",
    "The exact search takes sets of up to {most} labels, and a column has {labels}; search for cuts greedily.": "厳密な探索で扱えるラベルの集合は {most} 個までですが、{labels} 個のラベルをもつ列があります。貪欲な探索を選んでください。",
    "The exact search takes two columns that vary, and there are {columns}; search for cuts greedily.": "厳密な探索で扱えるのは変化する列が二つの場合ですが、{columns} 個あります。貪欲な探索を選んでください。",
    "{left:row|rows} would be left, too few for one group of {k}; use a larger neighborhood radius, or let rows outside all clusters join the nearest group.": "残るのは {left:,} 行で、{k} 行のグループを一つ作るには足りません。近傍の半径を大きくするか、どのクラスターにも入らない行を最も近いグループに入れてください。",
    "The smallest and the largest probability of being in the table must be probabilities, the largest above 0 and not below the smallest. Got {low:g} and {high:g}.": "表に含まれる確率の最小値と最大値は確率でなければならず、最大値は 0 より大きく最小値以上でなければなりません。指定された値は {low:g} と {high:g} です。",
    "c must be given for recursive l-diversity, and only then.": "c は再帰的な l-多様性のときに、またそのときだけ指定してください。",
    "The ordered distance of {column!r} needs categories declared as ordered; take all values as equally far apart.": "{column!r}の順序による距離には、順序があると宣言された区分が必要です。すべての値の距離を等しいとしてください。",
    "A spreadsheet would run the names of the columns {titles} in {what} as formulas; choose CSV for spreadsheets for people who open it in one.": "{what} の列名{titles}は、表計算ソフトで数式として実行されます。表計算ソフトで開く人のためには、表計算ソフト用の CSV を選んでください。",
    "A spreadsheet would run {cells:cell|cells} of {columns} and the names of the columns {titles} in {what} as formulas; choose CSV for spreadsheets for people who open it in one.": "{what} の{columns}にある {cells:,} 個のセルと列名{titles}は、表計算ソフトで数式として実行されます。表計算ソフトで開く人のためには、表計算ソフト用の CSV を選んでください。",
    "A spreadsheet would run {cells:cell|cells} of {columns} in {what} as formulas; choose CSV for spreadsheets for people who open it in one.": "{what} の{columns}にある {cells:,} 個のセルは、表計算ソフトで数式として実行されます。表計算ソフトで開く人のためには、表計算ソフト用の CSV を選んでください。",
    "This release was drawn with a seed, which anyone may guess, so its guarantee would be void; make it without a seed.": "この公開データはシードを指定して作られています。シードは誰にでも推測されうるため、保証が無効になります。シードを指定せずに作ってください。",
    "The collation check looks at rows generalized to labels.": "照合の検査は、ラベルに一般化された行のためのものです。",
    "Suppressed cells that agree with any value are not counted for people with several rows; let them agree only with suppressed ones.": "複数の行をもつ人については、どの値とも一致するとみなす秘匿セルは数えません。秘匿されたセル同士だけが一致するようにしてください。",
    "it is not {encoding} text; choose another encoding": "{encoding} のテキストではありません。別の文字コードを選んでください",
    "it is not utf-8 text but looks like {seems}; choose that encoding": "utf-8 ではなく {seems} のテキストのようです。その文字コードを選んでください",
    "{path} cannot be read: it is not UTF-8 text but looks like UTF-16; choose that encoding.": "{path} を読み込めません。UTF-8 ではなく UTF-16 のテキストのようです。その文字コードを選んでください。",
    "{path}: column {broken} is not {encoding} text; choose another encoding.": "{path}：列{broken}は {encoding} のテキストではありません。別の文字コードを選んでください。",
    "{path} has only one column; its fields seem to be separated by {others!r}, so choose that delimiter.": "{path} には列が一つしかありません。区切り文字は{others!r}のようです。その区切り文字を選んでください。",
    "{where} does not have as many fields as the first line ({found}, not {expected})": "{where}のフィールドの数が最初の行と異なります（{expected} ではなく {found}）",
    (
        "There is too little memory for this. Use fewer rows or columns or coarser domains, or run the plan from the command "
        "line, which can keep rows on disk."
    ): "メモリが足りません。行や列を減らすか、定義域を粗くするか、行をディスクに置けるコマンドラインから計画を実行してください。",
    "Column {column!r} has {count:missing value|missing values}, which its description does not allow; open the table anew.": "列{column!r}に欠測値が {count:,} 個ありますが、列の記述では認められていません。表を新しく開いてください。",
    "the database refused": "データベースが拒否しました",
    (
        "The work is not saved as a project: the method holds a table of its own, such as a pilot, and projects keep no rows. Keep "
        "the plan file."
    ): "手法が予備データなどの表を含んでおり、行は保存しないため、作業は保存されません。計画ファイルを保管してください。",
    "Choose for at least one column how it is changed.": "少なくとも一つの列について、変え方を選んでください。",
    "Fill in k, epsilon, or both.": "k と ε の少なくとも一方を入力してください。",
    "Write a number, such as 0.5.": "0.5 のような数を入力してください。",
    "Write a whole number, such as 5.": "5 のような整数を入力してください。",
    "Write numbers only, one row in each line, with as many numbers in each.": "数だけを、一行に一つの行として、どの行も同じ個数で入力してください。",
    "A population has at least one person.": "母集団には少なくとも 1 人が必要です。",
    "The sampled share must be over 0 and at most 1.": "標本の割合は 0 より大きく 1 以下でなければなりません。",
    "Choose the column with the survey weights.": "調査ウェイトの列を選んでください。",
    "Choose the table of the population.": "母集団の表を選んでください。",
    "The population cannot have fewer people ({people:,}) than the table has rows ({rows:,}).": "母集団の人数（{people:,}）は、表の行数（{rows:,}）より少なくできません。",
    "The survey weights in {column!r} must be numbers, one for each row.": "{column!r}の調査ウェイトは、各行に一つの数でなければなりません。",
    "The table of the population is not kept; hand it over again.": "母集団の表は保存されません。もう一度渡してください。",
}
