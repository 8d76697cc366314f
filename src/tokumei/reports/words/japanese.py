"""The sentences of a report in Japanese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "title": "匿名化データに関する報告書",
    "variant_private": "データ保有者限り：この報告書には、元のデータに関する情報が含まれます。",
    "variant_public": "公開用：公開された行とマニフェストだけから作成しました。",
    "contents": "目次",
    "absent": "–",
    "list_comma": "、",
    "list_semicolon": "、",
    "colon": "：",
    "in_manifest": "（長いため manifest.json を参照）",
    # 要約
    "title_verdict": "要約",
    "verdict_what": "{method}により作成した、{rows} 行 {columns} 列のデータです。",
    "verdict_void": "乱数が指定されたシードから作られているため、シードを知る者や言い当てる者に対しては何も保証されません。",
    "verdict_before": "元のデータでは、他人に知られうる項目の組合せが唯一である行が {rows} 行（{share}）ありました。",
    "verdict_classes": "公開データで唯一である行は {rows} 行、最小の同値類は {k} 行です。",
    "verdict_attack": (
        "試行では、元の表を知る攻撃者が正しく結び付けた人は {people} 人中 {linked} 人（95 % 信頼区間：{low}～{high}）で、最も確かな結び付けの確率は {belief}でした。"
    ),
    "verdict_belief": "元の表を知る攻撃者にとって、最も確かな結び付けの確率は {belief}です。",
    "verdict_released": "公開データをそのまま使うと、列の分布のずれは平均 {column}です。",
    "verdict_reconstructed": "ノイズを統計的に取り除く（再構築する）と、ずれは {column}になります。",
    "verdict_not_measured": "有用性は測定できませんでした。",
    "verdict_advice": "外部に出す前に確認すべき点が {count} 件あります（「助言」の節）。",
    "verdict_no_advice": "特に助言すべき点はありません。",
    "verdict_receiver_perturbed": (
        "セルは確率的に変更されています。公開された行をそのまま数えると意図的に誤った結果になりますが、"
        "ノイズを統計的に取り除けば正しい結果が得られます。"
    ),
    "verdict_receiver_sampled": "公開されているのは標本で、抽出された行は元のままです。",
    "verdict_receiver_alike": "似た行どうしが同じ値になるように加工されており、ラベルや代表値は複数の値を表します。",
    # 保証
    "title_promise": "保証の内容",
    "title_assumes": "保証の前提",
    "promise_of": "（保証 {places}）",
    "promise_proofs": "証明は tokumei の文書 {proofs} にあります。",
    "headline": "{attacker}（{notion}、{letter} = {value}）。",
    "headline_linking": (
        "{attacker}、公開された行を 1/{value} を超える確率で本人と結び付けることができません（{notion}、{letter} = {value}）。"
    ),
    "notion_Pk-anonymity": "Pk-匿名性",
    "notion_sampling anonymity": "標本抽出による匿名性",
    "notion_differential privacy": "差分プライバシー",
    "notion_local differential privacy": "局所差分プライバシー",
    "notion_k-anonymity": "k-匿名性",
    "notion_k-anonymity with wildcards": "ワイルドカード付き k-匿名性",
    "notion_l-diversity": "l-多様性",
    "notion_t-closeness": "t-近似性",
    "notion_delta-disclosure privacy": "δ-開示プライバシー",
    "notion_beta-likeness": "β-類似性",
    # リスク
    "title_risk": "攻撃者にできること",
    "risk_measure": "指標",
    "risk_before": "元のデータ",
    "risk_after": "公開データ",
    "risk_k": "最小の同値類の行数（k）",
    "risk_unique": "唯一である行",
    "risk_highest": "最も確かな結び付けの確率",
    "risk_average": "結び付けの確率の平均",
    "risk_above": "確率 {threshold} を超えて結び付けられる行",
    "risk_who_alike": "攻撃者は、ある人の{columns}と、その人が表に含まれることを知っており、値が一致する行を探します。",
    "risk_who_sampled": (
        "元のデータに対する攻撃者は、ある人の{columns}を知っているものとします。公開データに対する攻撃者は、誰が抽出されたかを除き、"
        "元の表全体を知っているものとします（はるかに強い攻撃者です）。"
    ),
    "risk_who_perturbed": (
        "元のデータに対する攻撃者は、ある人の{columns}を知っているものとします。公開データに対する攻撃者は、乱数の値を除き、元の表全体と"
        "ノイズの加え方を知っているものとします（はるかに強い攻撃者です）。攪乱された行の同値類からは何も分からないので、数えていません。"
    ),
    "risk_wildcards": (
        "秘匿されたセルは、それ自体を一つの値として数えています（リスクを過小に見積もることはありません）。どの値とも一致するとみなせば、"
        "どの行もそれ自身を含む {k} 行以上と一致します。"
    ),
    "caption_before_after": "正しく結び付けられる確率（元のデータと公開データ）。",
    "caption_sizes_before": "元のデータ：それ自身を含め、何行と一致するか。",
    "caption_sizes_after": "公開データ：それ自身を含め、何行と一致するか。",
    "caption_blame": "元のデータで、どの列が人を目立たせているか（全行のスコアに占める割合。合計は 100 % です）。",
    "blame_sets": "元のデータで唯一の行を多く生む、最小の列の組：{sets}。",
    "blame_set": "{columns}（{rows} 行）",
    "attack_some": "表が大きいため、{all} 行から選んだ {rows} 行について同じ方法で公開データを作り、それを攻撃しました。",
    "attack_linked": (
        "攻撃者は {people} 人中 {linked} 人を正しく結び付けました（95 % 信頼区間：{low}～{high}）。この測定のために作成した公開データで数えたもので、乱数は報告書ごとに変わりません。"
    ),
    "attack_no_truth": "行の順序は保存されないため、どの結び付けが正しいかは誰にも分かりません。",
    "attack_belief": "最も確かな結び付けの確率は {belief}で、攻撃者自身の見込みでは {expected} 人を正しく結び付けられます。",
    "attack_promised": "保証が許す上限は {promised}です。",
    "attack_unknown": "保証の前提のとおり、攻撃者は{columns}を利用しません。",
    "attack_how": "確率の計算方法：{how}。",
    "public_counted": "公開された行について、受領者なら誰でもできるように、{columns}が一致する行を数えました。",
    "public_perturbed": (
        "セルが確率的に変更されているため、公開された行の同値類を数えてもリスクは分かりません。"
        "リスクの上限は、行の見かけにかかわらず、上の保証によって定まります。"
    ),
    "public_no_columns": "他人に知られうる列が公開されていないため、数えるべき同値類はありません。",
    "public_people": (
        "1 人が複数の行をもち、どの行が誰のものかは公開されていないため、同値類を数えるとリスクを小さく見積もることになります。"
        "上の保証は、人を単位に数えています。"
    ),
    # 問い
    "title_questions": "三つの問いと、日本法の二つの観点",
    "questions_law": (
        "最初の三つは、欧州のデータ保護当局が匿名化を検討する際の問いです（第 29 条作業部会意見書 05/2014）。"
        "ここに示すのは計算による答えです。法令に適合するかどうかは、利用の状況や運用にも左右されるものであり、この報告書が適合を主張するものではありません。"
    ),
    "question_singling_out": "選び出し（singling out）：特定の個人を選び出せるか",
    "singling_perturbed": (
        "公開された行が唯一に見えても、それが誰かの本当の記録とは限りません。どの行をある人のものとみなしても、"
        "上の前提のもとで、それが正しい確率は 1/{k} 以下です。"
    ),
    "singling_alike": "{columns}については、公開されたどの行もそれ自身を含む {k} 行以上と一致し、唯一である行は {rows} 行です。",
    "singling_people": (
        "{columns}については、一致する行のうち同じ人の行は {k} 分の 1 以下です。そのどれをある人のものとみなしても、"
        "上の前提のもとで、それが正しい確率は 1/{k} 以下です。"
    ),
    "singling_together": "公開されたすべての列を合わせると、唯一である行は {rows} 行（{share}）です。",
    "singling_sampled": (
        "公開された行の中では選び出せます。{columns}の組合せが唯一である行が {rows} 行あります。ただし、誰が抽出されたかを知らない者には、"
        "その行が全員の中でも唯一であるかどうかは分かりません。"
    ),
    "singling_no_columns": "他人に知られうる列は公開されていません。",
    "question_linkability": "連結可能性（linkability）：行を本人と、あるいは同じ人の行どうしを結び付けられるか",
    "linking_promise": "上の前提のもとで、行が本人と結び付けられる確率は 1/{k} 以下です。",
    "linking_nothing": "これについての保証はありません。",
    "linking_seeded": "乱数が指定されたシードから作られているため、シードを知る者は行を結び付けられるおそれがあり、その者に対する保証はありません。",
    "linking_again": (
        "これは、この公開データ単独についてのものです。同じ人々のデータを再び公開すると、知られることが積み重なります。"
        "何が保証として残るかは tk.combine で計算できます。"
    ),
    "question_inference": "推論（inference）：ある人の値を推し量れるか",
    "inference_class": (
        "{column}：どの同値類にも {l} 種類以上の値があり、公開データ全体の分布との距離（全変動距離）は最大 {t} です。"
        "値が 1 種類だけの同値類にある行は {rows} 行で、これらの値は結び付けなくても分かります。"
    ),
    "inference_sampled": "行が誰のものか分かった者は、その行のすべての値を読み取れます。値が元のまま公開されているためです。",
    "inference_guess": "{column}：攻撃者が正しく言い当てられるのは {right}の人についてで、公開データがなくても {without}の人について言い当てられます。",
    "inference_stated": "上の保証の一つが、同値類ごとにこれを制限しています。",
    "inference_not_promised": "保証は結び付けに関するものです。多くの人に共通する傾向から推し量れることを制限するものではありません。",
    "question_provider": "提供元基準：元の表をもつ提供元自身が、どの行が誰のものかを識別できるか",
    "provider_perturbed": (
        "1/{k} を超える確率では識別できません。この保証は、提供元のように元の表全体を知る者に対しても、乱数と行の順序が破棄されている限り成り立ちます。"
        "tokumei はどちらも保存しません。"
    ),
    "provider_unknown": (
        "識別できる可能性があります。1/{k} という保証は、そのまま公開される{columns}が手がかりにならないことを前提としていますが、提供元はその値を知っています。"
        'kept = "known" または "perturb" とすれば、提供元に対しても保証されます。'
    ),
    "provider_seeded": "識別できます。乱数が指定されたシードから作られており、再現できるためです。",
    "provider_sampled": "同じ値をもつ人がほかにいない行については識別できます。行が元のまま公開されているためです。",
    "provider_alike": (
        "部分的に識別できます。元の表をもつ者は、同じ同値類を作り直して、公開されたすべての列を比べられます。その場合、唯一となる行は {rows} 行（{share}）、"
        "最小の同値類は {k} 行です。"
    ),
    "question_collation": "容易照合性：ほかの情報と容易に照合できるおそれはどこにあるか",
    "collation_gone": "直接の識別子は削除され、行は並べ替えられています。どの行が誰のものかを示す対応表はありません。",
    "collation_kept": "そのまま公開されるため、ほかの表と照合されうる列：{columns}。",
    "collation_none_kept": "そのまま公開される列はありません。",
    "collation_do": "元の表と公開データは分けて管理し、両方を見られる人を限ってください。",
    "collation_check": (
        "元の表をもつ者は、{groups}個の行グループのうち{resolved}個について、元の記録の組をただ一通りに定められます"
        "（判定できなかったグループ：{undecided}個）。それによって一人の行と特定される行：{pinned}行。"
    ),
    # 助言
    "title_advice": "助言",
    "advice_none": "該当する項目はありません。",
    "advice_seeded": "乱数が指定されたシードから作られています。外部に出す前に、シードを指定せずに作り直してください。",
    "advice_nothing_promised": 'k = 1 では、結び付けに対して何も保証されません。より大きな k を求めるか、遷移行列のノイズを強めるか、（セルの秘匿では）meaning = "own_value" としてください。',
    "advice_nearly_unique": (
        "{column}は、異なる値の数が行数に近い列です（{share}）。氏名のように人を特定できるので、削除するか、識別子として扱うか、区分を粗くしてください。"
    ),
    "advice_filled_classes": (
        "{column}：{rows} 行（{share}）が、機微な値が 1 種類だけの同値類にあり、結び付けなくても値が分かります。l-多様性や t-近似性を求めてください。"
    ),
    "advice_told_apart": (
        "そのまま公開される列も含め、公開されたすべての列を知られると、{rows} 行（{share}）が唯一になります。"
        "知られうる列があれば、区分を粗くするか削除してください。"
    ),
    "advice_small_groups": "{column}：k = {k} 行未満にしか現れない値が {values} 個あります（合計 {rows} 行）。ほかの値とまとめてください。",
    "advice_outliers": (
        "{column}：{rows} 行が、ほかの値から大きく離れています（四分位数から四分位範囲の 3 倍を超える）。上限・下限の値にまとめてください。"
    ),
    "advice_bounds_from_data": "{column}：定義域または階層がデータから読み取られており、その両端は誰かの値です。あらかじめ宣言してください。",
    "advice_many_gone": (
        "{rows} 行（{share}）が、まれであるために除かれるか秘匿されています。残りの行からの推定は全員についてのものになりません。"
        "先に区分を粗くして、対象を減らしてください。"
    ),
    # 有用性
    "title_utility": "有用性",
    "utility_how": (
        "距離は全変動距離です。0 % なら分布が同じ、100 % なら共通部分がまったくないことを意味します。「そのまま」では、ラベルが表すすべての値に均等に割り振って数えます。"
    ),
    "utility_none": "測定できたものはありません。",
    "utility_measure": "指標",
    "utility_column": "列",
    "side_released": "そのまま",
    "side_reconstructed": "再構築後",
    "utility_marginals": "一つの列の分布のずれ（平均）",
    "utility_pairs": "二つの列の同時分布のずれ（平均）",
    "utility_associations": "関連の強さのずれ（平均）",
    "utility_told_apart": "元の行との見分けやすさ（最悪の pMSE に対する割合）",
    "utility_score": "元の行に対するモデルのスコア",
    "utility_loss": "準識別子のセルの情報損失（Loss）",
    "utility_ncp": "セルの正規化確実性ペナルティ（NCP）",
    "title_columns": "列ごとのずれ",
    "title_not_measured": "測定できなかったもの、留保の付くもの",
    "caption_correlations": "二つの列の関連：相関係数（順序のない列を含む場合はクラメールの V）。",
    "caption_marginals": "{column}：値の割合（左：元のデータ、右：公開データ）。",
    "title_use": "受領者にできること",
    "receive_perturbed": (
        "公開された行をそのまま数えないでください。意図的に誤った値になっています。ノイズの加え方は公開されているので、同時分布、回帰、予測モデルを元のデータから求めたかのように推定でき、"
        "その精度も区間で示されます。"
    ),
    "receive_sampled": "通常の標本と同じように集計できます。割合は偶然の範囲で正しく、人数は倍率を掛けて求めます。",
    "receive_alike": "ラベルは複数の値を表します。tokumei reconstruct で値に割り振ることができます。そのまま公開されている列は、そのまま使えます。",
    "receive_averaged": "セルは行のグループの代表値であり、元に戻すことはできません。平均はほぼ保たれますが、分散や関連は保たれません。",
    "receive_not_at_random": "まれな行は除かれるか秘匿されているため、推定結果は全員についてのものにはなりません。",
    "receive_inspect": "tokumei inspect RELEASE を実行すると、各列の作り方が（英語で）表示されます。",
    # 方法
    "title_method": "加工の方法",
    "title_steps": "前処理",
    "method_parameter": "パラメータ",
    "method_value": "値",
    "method_drawn": "{of} 行から {rows} 行を抽出しました。",
    "method_left_out": "似た行が少ない {rows} 行を除きました（偶然によるものではありません）。",
    "method_always": "直接の識別子は削除し、行は並べ替えました。",
    "method_pk_perturbation": "Pk-攪乱",
    "method_grouped_pk_perturbation": "グループごとの Pk-攪乱",
    "method_pram": "PRAM（事後ランダム化）",
    "method_sampling": "標本抽出",
    "method_generalization": "一般化",
    "method_record_suppression": "行の削除",
    "method_local_suppression": "セルの秘匿",
    "method_microaggregation": "ミクロアグリゲーション",
    "about_pk_perturbation": "どの行も 1/k を超える確率では結び付けられないように、必要なだけ、各セルを確率的に維持または置換します。",
    "about_grouped_pk_perturbation": "似た行をグループにまとめ、グループの範囲の中で各セルを確率的に変更します。",
    "about_pram": "各セルを、公開された確率表に従って変更します。",
    "about_sampling": "一部の行を抽出し、元のまま公開します。",
    "about_generalization": "どの行もそれ自身を含む k 行以上と一致するまで、セルの区分を粗くします。",
    "about_record_suppression": "一致する行が k 行に満たない行を除きます。",
    "about_local_suppression": "どの行も k 行以上と一致するまで、個々のセルを秘匿します。",
    "about_microaggregation": "似た行を k 行以上のグループにまとめ、各行をグループの代表値に置き換えます。",
    "step_recode": "{column}を階層に従って粗くする",
    "step_top_bottom_code": "{column}を上限・下限の値にまとめる",
    "step_pseudonymize": "{column}を鍵付きの仮名に置き換える",
    "step_mask": "{column}を一部の文字を除いて伏せる",
    "step_drop": "{column}を削除する",
    # 列
    "title_dictionary": "データ項目の一覧",
    "dictionary_column": "列",
    "dictionary_role": "役割",
    "dictionary_values": "とりうる値",
    "dictionary_happened": "値の加工",
    "dictionary_labels": "（{count} 個のラベルとして公開）",
    "role_identifier": "識別子",
    "role_person": "個人の区別",
    "role_quasi_identifier": "準識別子",
    "role_sensitive": "機微な属性",
    "role_insensitive": "その他の属性",
    "domain_none": "宣言なし",
    "domain_missing": "、または欠測",
    "domain_observed": "{count} 個の値（データから読み取ったもの）",
    "domain_more": "、ほか {count} 個",
    "domain_range": "{low}～{high}",
    "domain_step": "（{step} 刻み）",
    # データから決めたもの
    "title_looked": "データを見て決めたもの",
    "looked_why": "いずれも元の行について何かを明かすもので、理由とともにマニフェストで公開されます。",
    "looked_nothing": "ありません。パラメータと定義域は、宣言された内容と行数だけから決まっています。",
    # 版
    "title_origin": "版とダイジェスト",
    "origin_what": "対象",
    "origin_value": "版または SHA-256",
    "origin_digest": "この報告書は、これらのダイジェストをもつファイルからなる公開データに関するものです。",
    "origin_no_digest": "公開データはファイルから読み込んだものではない（この報告書のために作成したか、メモリ上で渡された）ため、ダイジェストはありません。同じ計画から後で書き出すものは、乱数が異なります。",
    # 図
    "chart_highest": "最大",
    "chart_average": "平均",
    "chart_before": "元のデータ",
    "chart_after": "公開データ",
    "chart_original": "元のデータ",
    "chart_released": "公開データ",
    "chart_reconstructed": "再構築後",
    "chart_difference": "差",
    "chart_below k": "k 未満",
    "chart_k or more": "k 以上",
    "chart_or_more": " 以上",
    "chart_rows in a class": "同値類の行数",
    "chart_share of rows": "行の割合",
    "chart_probability of a right guess": "正しく結び付けられる確率",
    "chart_share of the risk": "リスクに占める割合",
}
