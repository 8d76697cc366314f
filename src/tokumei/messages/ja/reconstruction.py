"""Japanese for what is said by reconstruction and learning."""

from __future__ import annotations

from collections.abc import Mapping

MESSAGES: Mapping[str, str] = {
    "A channel of the release loses information completely, so it cannot be corrected for.": "公開データのある通信路では情報が完全に失われるため、補正できません。",
    "A column of the table has too many values for intervals; ask for bins, or leave them out.": "表に、区間推定には値が多すぎる列があります。bins を指定するか、区間を求めないでください。",
    "Every column to predict from has only one value.": "予測に使う列が、どれも値を一つしかもちません。",
    "Every row of the release is suppressed, so it says nothing about these columns.": "公開データのすべての行が秘匿されているため、これらの列については何も分かりません。",
    "Intervals are for tables of up to {most_cells:,} cells; use fewer columns or bins.": "区間推定ができるのは {most_cells:,} セルまでの表です。列または bins を減らしてください。",
    "No column of the release was perturbed, so every weight would be one.": "公開データに攪乱された列がないため、重みはすべて 1 になります。",
    (
        "Some released rows cannot come from any of the weighted rows or possible values; use another support, "
        "fewer columns, or operator='blocks'."
    ): (
        "公開された行の中に、重みを付けたどの行からも、ありうるどの値からも生じえないものがあります。別の "
        "support を使うか、列を減らすか、operator='blocks' を使ってください。"
    ),
    "The bins of {name!r} cannot be used: {error}": "{name!r}の bins は使えません。{error}",
    (
        "The estimate assumes that the box of a row says nothing about the row except that it lies there. Groups "
        "were chosen from the rows, so this is not true, and rare values may be estimated far too low."
    ): (
        "この推定は、行の範囲からは、行がその中にあること以外は何も分からないと仮定しています。"
        "グループは行を見て選ばれたためこの仮定は正しくなく、"
        "まれな値が実際よりかなり少なく推定されることがあります。"
    ),
    (
        "The free model has a weight for each of its own rows and for no others; use model='kernel' or "
        "model='linear', or use weights_ with support_."
    ): (
        "free モデルの重みは、それ自身の行についてだけのものです。model='kernel' または model='linear' を使うか、"
        "weights_ を support_ とともに使ってください。"
    ),
    (
        "The joint table would have {sizes} = {cells:,} cells, more than {largest_table:,}; use fewer columns or "
        "fewer bins."
    ): (
        "同時分布の表が {sizes} = {cells:,} セルになり、上限の {largest_table:,} を超えます。列または bins "
        "を減らしてください。"
    ),
    (
        "The release does not determine this many coefficients: the noise leaves too little information, or a "
        "label has rows of only one class. Predict from fewer columns, or use tk.reconstruct, which picks a "
        "model that relies on priors if there is one."
    ): (
        "公開データからは、これだけの数の係数を決められません。ノイズのために情報が少なすぎるか、"
        "一つのクラスの行しかないラベルがあります。予測に使う列を減らすか、"
        "事前分布を用いるモデルがあればそれを選ぶ tk.reconstruct を使ってください。"
    ),
    "The table has no rows to learn from.": "表に学習に使う行がありません。",
    "The table of released rows would have {cells:,} cells; use fewer columns.": "公開された行の表が {cells:,} セルになります。列を減らしてください。",
    "The target's channel loses information completely, so it cannot be predicted.": "目的変数の通信路では情報が完全に失われるため、予測できません。",
    (
        "The values of {column!r} became labels of its matrix, and the release does not say what they were; name "
        "the other columns."
    ): (
        "{column!r}の値は行列のラベルに置き換えられ、元の値が何であったかは公開データに示されていません。"
        "ほかの列を指定してください。"
    ),
    "The weights stopped after {n_iter:step|steps}; {far}. Raise max_iter, tol or smoothing.": (
        "重みの計算が {n_iter:,} 回で打ち切られました（{far}）。max_iter、tol、smoothing "
        "のいずれかを大きくしてください。"
    ),
    (
        "There are no published rates of {name!r}; ask the data holder for them (publish=[ValueRates()]), or use "
        "rates='uniform'."
    ): (
        "{name!r}の割合は公開されていません。データ保有者に公開を依頼する（publish=[ValueRates()]）か、"
        "rates='uniform' を使ってください。"
    ),
    "There are no rates of {name!r} among those given.": "与えられた割合の中に{name!r}のものがありません。",
    "There is no column to predict from.": "予測に使う列がありません。",
    "There is no column {name!r} in the release.{hint}": "公開データに列{name!r}はありません。{hint}",
    "There is no column {target!r} in the release.{hint}": "公開データに列{target!r}はありません。{hint}",
    (
        "This is for perturbed columns, and the release has generalized ones; fit a model to its labels "
        "directly, using tk.encoders.encoder_for(model, release)."
    ): (
        "これは攪乱された列のためのものですが、公開データの列は一般化されています。"
        "tk.encoders.encoder_for(model, release) を使って、ラベルに直接モデルを当てはめてください。"
    ),
    "There are too few released rows to hold some out for choosing the width; give it.": "公開された行が少なすぎて、幅を選ぶために一部を取り分けることができません。幅を指定してください。",
    "X has {rows:,} rows and y has {targets:,}.": "X は {rows:,} 行ですが、y は {targets:,} 行です。",
    "X must have rows and columns.": "X には行と列が必要です。",
    "about must be 'population' or 'table'. Got {about!r}.": "about は 'population' か 'table' でなければなりません。指定された値は{about!r}です。",
    "assume must be None or {at_random!r}. Got {assume!r}.": "assume は None か{at_random!r}でなければなりません。指定された値は{assume!r}です。",
    "backend must be 'numpy', 'torch', 'torch:DEVICE' or 'cupy'.": "backend は 'numpy'、'torch'、'torch:DEVICE'、'cupy' のいずれかでなければなりません。",
    "backend={name!r} needs {library}, which is not installed; install tokumei[gpu], or use backend='numpy'.": (
        "backend={name!r}に必要な {library} がインストールされていません。tokumei[gpu] をインストールするか、"
        "backend='numpy' を使ってください。"
    ),
    "bins are for numbers and dates, and {column!r} has categories.": "bins は数値と日付のためのものですが、{column!r}は区分の列です。",
    "bins must name columns, such as {'age': 10}.": "bins には、{'age': 10} のように列を指定してください。",
    "bins names {name!r}, which is not among the columns.{hint}": "bins に{name!r}がありますが、columns に含まれていません。{hint}",
    "columns names a column twice.": "columns に同じ列が 2 回指定されています。",
    "counts are for releases whose columns were perturbed or released unchanged; this one {missing}, so fit it on its rows.": (
        "counts を使えるのは、列が攪乱されたか、そのまま公開された公開データです。この公開データは{missing}。"
        "行を使って当てはめてください。"
    ),
    "has averages, and counts do not tell which rows share one": "平均値を含みますが、件数からはどの行が同じ平均値をもつかが分かりません",
    "has recoded cells, and counts do not tell which values a cell stands for": "セルが再符号化されていますが、件数からはセルがどの値を表すかが分かりません",
    "lacks rare rows, and counts do not tell which": "まれな行を除いていますが、件数からはどの行かが分かりません",
    "was perturbed in groups, and counts do not tell whose group a row is of": "グループごとに攪乱されていますが、件数からは行がどのグループのものかが分かりません",
    "was swapped within groups, and counts do not tell which rows share one": "グループ内でスワップされていますが、件数からはどの行が同じグループかが分かりません",
    "counts do not include the weights of rows; fit on the rows, or leave out the weights.": "counts には行の重みが含まれません。行を使って当てはめるか、重みを外してください。",
    "counts must be whole numbers that add up to the {rows:row|rows} of the release.": "counts は整数で、合計が公開データの {rows:,} 行にならなければなりません。",
    "counts must have the columns {columns} and {count!r}, the number of rows; it lacks {lacking}.": "counts には列{columns}と、行数の列{count!r}が必要ですが、{lacking}がありません。",
    (
        "counts must have the columns {columns} and {count!r}, the number of rows; rename the column {count!r} "
        "of the release."
    ): "counts には列{columns}と、行数の列{count!r}が必要です。公開データの列{count!r}の名前を変えてください。",
    "fit needs a release, such as the one that read_release returns.": "fit には、read_release が返すような公開データが必要です。",
    "learner must be a model or one of {kinds}. Got {learner!r}.": "learner は、モデルか、{kinds}のいずれかでなければなりません。指定された値は{learner!r}です。",
    "learner must be a model such as LogisticRegression(), or its kind, such as 'linear'.": "learner には、LogisticRegression() のようなモデルか、'linear' のようなその種類を指定してください。",
    "{column!r} has no numbers, so it has no mean.": "{column!r}は数値の列ではないため、平均がありません。",
    "level must lie between 0 and 1. Got {level}.": "level は 0 と 1 の間でなければなりません。指定された値は {level} です。",
    "max_iter must be a whole number of at least 1.": "max_iter は 1 以上の整数でなければなりません。",
    "model must be 'kernel', 'linear' or 'free'.": "model は 'kernel'、'linear'、'free' のいずれかでなければなりません。",
    "n_samples must be a whole number of at least 1.": "n_samples は 1 以上の整数でなければなりません。",
    "operator must be 'auto', 'dense', 'blocks' or 'structured'.": "operator は 'auto'、'dense'、'blocks'、'structured' のいずれかでなければなりません。",
    "original must have the rows and columns of generalized, in the same order.": "original の行と列は、順序も含めて generalized と同じでなければなりません。",
    "original must hold true values, and some cells of {name!r} are not.": "original には真の値が必要ですが、{name!r}のセルの一部がそうなっていません。",
    "star must be 'all' or 'empty'. Got {star!r}.": "star は 'all' か 'empty' でなければなりません。指定された値：{star!r}。",
    "rates must be 'auto', 'release', 'estimated', 'uniform', or rates by column. Got {wanted!r}.": (
        "rates は 'auto'、'release'、'estimated'、'uniform' のいずれか、または列ごとの割合でなければなりません。"
        "指定された値は{wanted!r}です。"
    ),
    "reconstruct needs a release, such as the one that read_release returns.": "reconstruct には、read_release が返すような公開データが必要です。",
    "schema must be a Schema, a Release, or None to use the values as they come.": "schema には、Schema、Release、または値をそのまま使う場合は None を指定してください。",
    "smoothing must be a number of at least 0.": "smoothing は 0 以上の数でなければなりません。",
    "All {rows:,} rows as centers would be too many for kernels of this width; give n_centers, such as {fewer:,}.": (
        "{rows:,} 行すべてを中心にするには、この幅のカーネルでは数が多すぎます。{fewer:,} などの n_centers を指定してください。"
    ),
    "bandwidth and sigma2 are two names for the width of kernels; give one of them.": "bandwidth と sigma2 はどちらもカーネルの幅です。どちらか一方を指定してください。",
    "solver must be 'multiplicative' or 'gradient'.": "solver は 'multiplicative' か 'gradient' でなければなりません。",
    "support must be 'released' or 'product'.": "support は 'released' か 'product' でなければなりません。",
    "target must have categories, and {target!r} has none.": "target は区分の列でなければなりませんが、{target!r}はそうではありません。",
    "the statistics are of groups distinguished by {columns}; encode exactly these columns.": "この統計量は、{columns}によって区別されるグループのものです。ちょうどこれらの列を符号化してください。",
    (
        "the weights {column!r} were not released unchanged, and changed weights say nothing; ask the data "
        "holder for a release that keeps them, or leave them out."
    ): (
        "重み{column!r}はそのまま公開されたものではなく、変更された重みからは何も分かりません。"
        "重みをそのまま残した公開データをデータ保有者に依頼するか、重みを外してください。"
    ),
    "their distance from the best is not known": "最適な値からどれだけ離れているかは分かりません",
    "their log-likelihood may be {gap:.3g} below the best": "対数尤度は最適な値より最大で {gap:.3g} 低い可能性があります",
    "tol must be a number above 0.": "tol は 0 より大きい数でなければなりません。",
    "torch finds no GPU here; use backend='torch:cpu' or backend='numpy'.": "torch が GPU を見つけられません。backend='torch:cpu' または backend='numpy' を使ってください。",
    "operator='dense' would store {pairs:,} numbers; more than {most:,} do not fit. Use operator='auto'.": (
        "operator='dense' では {pairs:,} 個の数を保存することになりますが、{most:,} 個を超えると収まりません。"
        "operator='auto' を使ってください。"
    ),
    (
        "operator='structured' would need a table of {size:,} numbers: the columns have too many labels, or too "
        "little noise. Use operator='auto', or fewer columns."
    ): (
        "operator='structured' では {size:,} 個の数の表が必要になります。列のラベルが多すぎるか、"
        "ノイズが小さすぎます。operator='auto' を使うか、列を減らしてください。"
    ),
    ("weights cannot be used if rows were perturbed in groups; leave them out, or ask for a release without groups."): (
        "行がグループごとに攪乱されている場合、重みは使えません。重みを外すか、"
        "グループを使わない公開データを依頼してください。"
    ),
    "weights must name a column of the release; {column!r} is not one.{hint}": "weights には公開データの列を指定しなければなりませんが、{column!r}はそうではありません。{hint}",
    "{column!r} has {labels:,} labels, too many for a coefficient each; leave it out.": "{column!r}にはラベルが {labels:,} 個あり、それぞれに係数を付けるには多すぎます。列を除いてください。",
    "{kind}.fit takes no sample_weight, which weighted cells need; fit it to all rows.": "{kind}.fit は、セルの重み付けに必要な sample_weight を受け取りません。すべての行に当てはめてください。",
    "{name!r} has more than {many_labels:,} labels; name the other columns.": "{name!r}にはラベルが {many_labels:,} 個を超えてあります。ほかの列を指定してください。",
    "{name!r} holds the weights.{hint}": "{name!r}は重みの列です。{hint}",
    "{name!r} is not a column with a domain.{hint}": "{name!r}は定義域のある列ではありません。{hint}",
    "{name!r} is the target.{hint}": "{name!r}は目的変数です。{hint}",
    "{name} must be a number above 0.": "{name} は 0 より大きい数でなければなりません。",
    "{name} must be a whole number of at least 1.": "{name} は 1 以上の整数でなければなりません。",
    "{target!r} has no declared domain, so it cannot be predicted.": "{target!r}には宣言された定義域がないため、予測できません。",
    "{target!r} has only one value in the release, so there is nothing to predict.": "{target!r}は公開データの中で値が一つしかないため、予測するものがありません。",
    "{weights!r} holds the weights, so it cannot also be a column of the table.": "{weights!r}は重みの列なので、表の列としては使えません。",
    "columns are for predicting a target; without one, ask the model for table(columns).": "columns は target を予測するときに指定します。target がないときは、モデルの table(columns) を使ってください。",
    "The noise leaves open how columns go together: models fitted from different starts disagree. Tables of one column are not affected.": "ノイズが強く、列どうしの関係は定まりません。異なる初期値から当てはめたモデルの結果が食い違っています。1 列だけの表には影響しません。",
    "The boxes of groups say too little about their rows: the model of all columns contradicts those of single columns, so it is believed less, and cells are spread over what the noise leaves of their boxes.": "グループの範囲からわかることが少なすぎます。全列のモデルが 1 列ごとのモデルと食い違うため、その結果を割り引いて使い、各セルを、範囲のうちノイズと矛盾しない値に割り振ります。",
    "The release has no column whose values are declared, so there is nothing to model.": "この公開データには、値の範囲が宣言された列がないため、モデルを作れません。",
    (
        "target must have categories or numbers, and {target!r} has dates; convert it to a number of days in the table "
        "before it is released."
    ): "target には区分か数値の列を指定してください。{target!r}は日付の列です。公開の前に、元の表で日数（数値）に変換してください。",
    "{target!r} is missing in every row, so there is nothing to predict.": "{target!r}はすべての行で欠測なので、予測できるものがありません。",
    "columns must name at least one column, and not {target!r} itself.": "columns には、{target!r}自身を除く列を少なくとも一つ指定してください。",
    "{target!r} has numbers, so there are no classes; use predict.": "{target!r}は数値の列なのでクラスがありません。predict を使ってください。",
    "The rows have none of the columns that the model predicts from.": "与えられた行には、モデルが予測に使う列が一つもありません。",
    "function must give a finite number, or several, for each row of a frame.": "function は、データフレームの各行に対して、有限の数を一つまたは複数返さなければなりません。",
    "The model has no column {name!r}.{hint}": "モデルに列{name!r}はありません。{hint}",
    "No row of the release tells any of these columns.": "これらの列を示す行は、この公開データにありません。",
    "No row tells {one!r} and {other!r} together, so the estimate takes them as independent, given the other columns of the table.": "{one!r}と{other!r}を同時に示す行はないため、この推定では、表のほかの列を与えたときに両者が独立であるとみなします。",
    "No row tells {one!r} and {other!r} together, so how they go together is estimated only from the columns that are told with each of them.": "{one!r}と{other!r}を同時に示す行はないため、両者の関係は、それぞれと同時に示された列だけから推定します。",
    "{name!r} only says which group a row is in.{hint}": "{name!r}は、各行がどのグループに属するかを表すだけの列です。{hint}",
    "{name!r} only says which columns a row tells.{hint}": "{name!r}は、各行がどの列を示すかを表すだけの列です。{hint}",
    "{target!r} is told by some rows only; predict it with tk.reconstruct(release, target={target!r}).": "{target!r}を示すのは一部の行だけです。tk.reconstruct(release, target={target!r}) で予測してください。",
    "{target!r} only says which columns a row tells, so there is nothing to predict.": "{target!r}は、各行がどの列を示すかを表すだけの列なので、予測するものがありません。",
    "A model has its weights already; give them to tk.reconstruct, and leave them out here.": "モデルの重みはすでに決まっています。重みは tk.reconstruct に渡し、ここでは外してください。",
    "synthesize needs a release, such as the one that read_release returns.": "synthesize には、read_release が返すような公開データが必要です。",
    (
        "target must be a column of categories that was released unchanged, with two to {most} values in the rows, and "
        "{target!r} is not; leave it out."
    ): (
        "target は、そのまま公開されたカテゴリの列で、行に 2 から {most} 種類の値があるものでなければなりません。"
        "{target!r}はそうではないので、外してください。"
    ),
    "There are {copies} copies and {estimates} estimates; give one estimate for each copy.": "{copies} 組に対して推定値が {estimates} 個あります。各組に一つずつ渡してください。",
    "level must be a number between 0 and 1.": "level は 0 と 1 の間の数でなければなりません。",
    (
        "This model was fitted to counts. Complete rows, their copies, intervals, and models of columns through noise need the "
        "released rows; draw rows with sample(n_samples), or fit the model to the rows."
    ): (
        "このモデルは度数に当てはめたものです。補完した行とその組、区間、ノイズを通した列のモデルには、公開された行そのものが必要です。"
        "sample(n_samples) で行を抽出するか、行にモデルを当てはめてください。"
    ),
    "estimates must be a list with one estimate for each copy of the rows.": "estimates は、行の各組の推定値を一つずつ並べたリストでなければなりません。",
    "One copy says nothing about what is uncertain; pass the estimates of two copies or more.": "1 組からは不確かさが分かりません。2 組以上の推定値を渡してください。",
    (
        "The estimates of the copies are not of the same things; fit the same model to each, with the same columns."
    ): "各組の推定値が同じものについての推定値ではありません。同じ列を使って同じモデルを当てはめてください。",
    "of must be 'shares', 'means' or 'coefficients'.": "of は 'shares'、'means'、'coefficients' のいずれかでなければなりません。",
    "about must be 'population' or 'table'.": "about は 'population' または 'table' でなければなりません。",
    (
        "Intervals about the population need the variances of the estimates; pass them, or ask about the table."
    ): "母集団についての区間には推定値の分散が必要です。分散を渡すか、表についての区間を求めてください。",
    "variances must have one entry for each estimate.": "variances には、推定値と同じ数の要素が必要です。",
    "variances must have the same form as the estimates, and the same names.": "variances は、推定値と同じ形で、同じ名前でなければなりません。",
    "variances must not be below 0; pass squared standard errors.": "variances は 0 以上でなければなりません。標準誤差の 2 乗を渡してください。",
    (
        "An estimate must be a finite number, several of them, a result of statsmodels or a fitted linear model of "
        "scikit-learn."
    ): "推定値は、有限の数、その並び、statsmodels の結果、または scikit-learn の当てはめ済みの線形モデルでなければなりません。",
    "target must have two values in the release; {target!r} has {values}. Name the one that the regression is about (outcome, --outcome).": "target の値は公開データの中で二つでなければなりませんが、{target!r}には {values} 個あります。回帰の対象とする値を outcome（コマンドでは --outcome）に指定してください。",
    "{target!r} has no value {outcome!r}.{hint}": "{target!r}に値{outcome!r}はありません。{hint}",
    "The outcome must be some values of {target!r} in the release, and not all of them.": "outcome は、公開データにある{target!r}の値の一部でなければならず、全部ではいけません。",
    "target must hold numbers from 0 on; {target!r} does not.": "target は 0 以上の数値でなければなりませんが、{target!r}はそうではありません。",
    "target must hold numbers; {target!r} does not.": "target は数値でなければなりませんが、{target!r}はそうではありません。",
    "Cells of {target!r} may be missing, and the noise hides which; complete the rows instead, by tk.regress or tk.synthesize.": "{target!r}のセルには欠測がありえ、どれが欠測かはノイズで分かりません。代わりに tk.regress または tk.synthesize で行を補完してください。",
    "regress needs a release, such as the one that read_release returns.": "regress には、read_release が返すような公開データが必要です。",
    "copies must be a whole number of at least 2.": "copies は 2 以上の整数でなければなりません。",
    "There is no column {target!r} with a domain in the release.{hint}": "公開データに、定義域をもつ列{target!r}はありません。{hint}",
    "family must be 'linear', 'logistic' or 'poisson'. Got {family!r}.": "family は 'linear'、'logistic'、'poisson' のいずれかでなければなりませんが、{family!r}が指定されました。",
    "outcome is for logistic regression; leave it out.": "outcome はロジスティック回帰のためのものです。指定しないでください。",
    "A {family} regression explains numbers, and {target!r} has none; categories need family 'logistic'.": "{family} 回帰は数値を説明しますが、{target!r}は数値ではありません。カテゴリには family 'logistic' を指定してください。",
    "{column!r} was suppressed in every row; leave it out.": "{column!r}はすべての行で秘匿されています。この列を除いてください。",
    "Say what to explain by what, such as 'income ~ age + sex'.": "何を何で説明するかを、'income ~ age + sex' のように指定してください。",
    "Name the columns in the formula or in a list, not in both.": "列は、式かリストのどちらか一方で指定してください。",
    "A formula names the column to explain before ~, and after it the columns to explain it by, such as 'income ~ age + sex', or . for all others.": "式には、~ の前に説明される列、~ の後に説明に使う列を書いてください。例：'income ~ age + sex'。ほかのすべての列なら . と書きます。",
    "A formula explains one column, such as 'income ~ age + sex'.": "式で説明できる列は一つです。例：'income ~ age + sex'。",
    "A formula has one ~, such as 'income ~ age + sex'.": "式に ~ は一つだけです。例：'income ~ age + sex'。",
    "A formula names columns and + only, such as 'income ~ age + sex'; put a name with other signs in backticks.": "式には 'income ~ age + sex' のように列名と + だけを書きます。ほかの記号を含む名前はバッククォートで囲んでください。",
    "No row has a value of {target!r}, so nothing can be said about it.": "{target!r}の値がある行がないため、この列については何も言えません。",
    "{target!r} was suppressed in every row, so nothing can be said about it.": "{target!r}はすべての行で秘匿されているため、この列については何も言えません。",
    (
        "{column!r} has only one value in the rows that are there; {rows:row was|rows were} left out because they were rare. "
        "Leave it out, or ask for a release with a smaller k."
    ): "公開された行では{column!r}に一つの値しかありません（{rows:,} 行がまれなために除かれています）。この列を除くか、より小さい k の公開データを求めてください。",
    "{column!r} has only one value in the released rows; leave it out.": "公開された行では{column!r}に一つの値しかありません。この列を除いてください。",
    (
        "In the released rows {columns} follow from the other columns, so there are no coefficients of them. Leave them out."
    ): "公開された行では{columns}がほかの列から決まるため、その係数は定まりません。この列を除いてください。",
    (
        "The rows do not determine the coefficients: columns say the same as others, or a label has rows of only one class. Leave "
        "out a column."
    ): "行から係数が決まりません。ほかの列と同じことを表す列があるか、一つのクラスの行しかないラベルがあります。列を減らしてください。",
    (
        "Hardly any row tells these columns together, so the coefficients are open. Ask for a release that tells these columns alone, or "
        "explain the target by fewer columns."
    ): "これらの列を一緒に伝える行がほとんどないため、係数が決まりません。これらの列だけを伝える公開データを求めるか、説明に用いる列を減らしてください。",
    (
        "The noise leaves these coefficients open, and neither more rows with the same noise nor a smaller k would determine them. "
        "Ask for a release that tells these columns alone, or explain the target by fewer columns."
    ): "ノイズのため係数が決まらず、同じノイズのまま行を増やしても、k を小さくしても決まりません。これらの列だけを伝える公開データを求めるか、説明に用いる列を減らしてください。",
    (
        "The noise leaves these coefficients open. About {needed:,} rows with the same noise would determine them; there are "
        "{rows:,}. This assumes that noisy columns go together little; where they do, it takes more. Or explain the target by fewer columns."
    ): (
        "ノイズのため係数が決まりません。同じノイズなら約 {needed:,} 行あれば決まります（現在は {rows:,} 行）。これは、ノイズの加わった列どうしの関連が弱いと仮定した目安で、"
        "関連が強ければさらに多くの行が必要です。または、説明に用いる列を減らしてください。"
    ),
    (
        "The noise leaves these coefficients open, and more rows with the same noise would hardly help. A release of these {rows:,} rows with "
        "k = {k:g} would determine them. This assumes that noisy columns go together little; where they do, it takes a smaller k. Or explain the target by "
        "fewer columns."
    ): (
        "ノイズのため係数が決まらず、同じノイズのまま行を増やしてもほとんど変わりません。これらの {rows:,} 行を k = {k:g} で公開すれば決まります。これは、ノイズの加わった列どうしの関連が弱いと"
        "仮定した目安で、関連が強ければさらに小さい k が必要です。または、説明に用いる列を減らしてください。"
    ),
    (
        "The noise leaves these coefficients open. About {needed:,} rows with the same noise would determine them (there are "
        "{rows:,}), or a release of these rows with k = {k:g}. This assumes that noisy columns go together little; where they do, it takes more rows or a smaller k. "
        "Or explain the target by fewer columns."
    ): (
        "ノイズのため係数が決まりません。同じノイズなら約 {needed:,} 行あれば決まります（現在は {rows:,} 行）。または、これらの行を k = {k:g} で公開すれば決まります。これは、ノイズの加わった列どうしの"
        "関連が弱いと仮定した目安で、関連が強ければさらに多くの行か、さらに小さい k が必要です。あるいは、説明に用いる列を減らしてください。"
    ),
    "Linear regression of {target!r}, {rows:released row|released rows}.": "{target!r}の線形回帰（公開された {rows:,} 行）。",
    "Poisson regression of {target!r}, {rows:released row|released rows}.": "{target!r}のポアソン回帰（公開された {rows:,} 行）。",
    "Logistic regression of {target!r} = {values}, {rows:released row|released rows}.": "{target!r} = {values} のロジスティック回帰（公開された {rows:,} 行）。",
    "± is the standard error; intervals hold the coefficient of the population with {level:.0%}.": "± は標準誤差です。区間は、母集団の係数を {level:.0%} の確率で含みます。",
    "The release tells as much about these coefficients as {rows:row|rows} without any change would.": "この公開データがこれらの係数について伝えることは、変更のない {rows:,} 行に相当します。",
    "The release tells as much about these coefficients as {few:,.0f} to {many:,.0f} rows without any change would.": "この公開データがこれらの係数について伝えることは、変更のない {few:,.0f} ～ {many:,.0f} 行に相当します。",
    "target must be a column that was released unchanged; {target!r} was not.{hint}": "target はそのまま公開された列でなければなりませんが、{target!r}はそうではありません。{hint}",
    "{model}: {reason}": "{model}：{reason}",
    "How much signal each column still has (0 is none):": "各列に残る情報量（0 は何も残っていないこと）：",
    "How far estimated tables of each column will be off (total variation), alone and with another:": (
        "推定した表の誤差の見込み（全変動距離）。左は各列だけの表、右はほかの列との表："
    ),
    "it handles any number of classes, and perturbed classes.": "クラスがいくつでも、また攪乱されたクラスでも扱えるためです。",
    "it relies on priors; the noise leaves a regression undetermined.": "事前分布を用います。ノイズのため、回帰の係数が決まらないためです。",
    "the noise leaves its coefficients determined; {share:.1%} of what it predicts is random.": (
        "ノイズがあっても係数が決まるためです。予測の {share:.1%} は偶然によるものです。"
    ),
    "the noise leaves its coefficients determined; all of what it predicts is random.": (
        "ノイズがあっても係数が決まるためです。ただし、予測のすべてが偶然によるものです。"
    ),
    "it relies on priors; {chance:.1%} of what a regression predicts would be random.": (
        "事前分布を用います。回帰では、予測の {chance:.1%} が偶然によるものになるためです。"
    ),
    "the noise leaves a regression undetermined, so rows are completed first, by a model that relies on priors.": (
        "ノイズのため回帰の係数が決まらないので、まず事前分布を用いるモデルで行を補完します。"
    ),
    "cells of the target are missing and the noise hides which, so rows are completed first.": (
        "目的変数に欠測があり、どのセルが欠測かがノイズで隠されているので、まず行を補完します。"
    ),
    "values were exchanged within groups, which cannot be undone, so rows are taken as they are.": (
        "値がグループ内で交換されており、元に戻せないので、行をそのまま用います。"
    ),
    (
        "each row tells some columns only, so rows are completed first; averaged with a model that looks at one column "
        "at a time."
    ): "各行は一部の列だけを伝えるので、まず行を補完し、1 列ずつ見るモデルと平均します。",
    "each row tells some columns only, so rows are completed first.": "各行は一部の列だけを伝えるので、まず行を補完します。",
    "noise stays inside the box of each group, so rows are completed first, given their boxes and the noise.": (
        "ノイズは各グループの範囲の中に収まっているので、まず範囲とノイズをもとに行を補完します。"
    ),
    (
        "labels stand for several values, so rows are completed first; averaged with a regression on the labels as they "
        "are."
    ): "ラベルは複数の値を表すので、まず行を補完し、ラベルをそのまま用いた回帰と平均します。",
    "labels stand for several values, so rows are completed first.": "ラベルは複数の値を表すので、まず行を補完します。",
    "no column has noise, so it is fitted to the rows as they are.": "ノイズのある列がないので、行にそのまま当てはめます。",
    "no cell stands for several values, so it is fitted to the rows as they are.": (
        "複数の値を表すセルがないので、行にそのまま当てはめます。"
    ),
    "suppressed cells say nothing, so it is fitted to the cells that are there.": (
        "秘匿されたセルからは何も分からないので、残っているセルに当てはめます。"
    ),
    "labels say too little about what they hide, so it is fitted to the labels as they are.": (
        "ラベルからは、それが隠す値についてほとんど分からないので、ラベルにそのまま当てはめます。"
    ),
    "no column has noise, so rows are taken as they are.": "ノイズのある列がないので、行をそのまま用います。",
    "no cell stands for several values, so rows are taken as they are.": "複数の値を表すセルがないので、行をそのまま用います。",
    "suppressed cells say nothing, so they are spread evenly over the values that they may stand for.": (
        "秘匿されたセルからは何も分からないので、ありうる値に均等に割り振ります。"
    ),
    "labels say too little about what they hide, so people are spread evenly over the values of a label.": (
        "ラベルからは、それが隠す値についてほとんど分からないので、人をラベルの値に均等に割り振ります。"
    ),
    "a mixture of {classes:class|classes}, the average of {fits:fit|fits}.": (
        "{classes:,} 個のクラスの混合で、{fits:,} 回の当てはめの平均です。"
    ),
    " Rows of a box are taken to differ in what it hides as the model and an even spread say.": (
        "同じ範囲の行の、範囲に隠れた違いは、モデルと均等な広がりをもとに見積もります。"
    ),
    " The noise leaves open how columns go together: the fits disagree.": (
        "ノイズのため列どうしの関係は定まらず、当てはめの結果が食い違っています。"
    ),
}
