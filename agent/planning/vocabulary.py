"""The words that questions to an archive are made of, by what they do; lemmas, unless said."""

from __future__ import annotations

from ingest.text.lemmas import STOP_LEMMAS


def _words(*lists: str) -> frozenset[str]:
    return frozenset(word for words in lists for word in words.split())


INTERROGATIVES = _words(
    "кто что какой который чей сколько где куда откуда когда почему зачем отчего как чем",
    "насколько почем кого чего кому чему ком",
    "who whom whose what which where when why how",
    "хто що який скільки де коли чому навіщо як",
)
"""Words that open a question or one of its parts, as keys or lemmas."""

SAYING = _words(
    "писать написать сообщать сообщить рассказывать рассказать публиковать опубликовать постить",
    "запостить упоминать упомянуть утверждать объяснять объяснить советовать посоветовать",
    "рекомендовать порекомендовать говорить сказать обсуждать освещать цитировать процитировать",
    "делиться поделиться выкладывать выложить считать думать разбирать разобрать хвалить ругать",
    "шутить пошутить предупреждать предупредить напоминать напомнить отмечать отметить репостить",
    "say said tell told write wrote written report post mention publish claim share explain",
    "recommend cover discuss quot",
    "писати написати повідомляти повідомити розповідати розповісти публікувати казати",
)
"""What a channel does with words. Acts of a company («отменил», «объявил») are not here."""

SOURCE_NOUNS = _words(
    "данные сообщение версия информация опрос мнение слово материал подсчет прогноз оценка",
    "утверждение расчет сведение публикация новость пост канал",
)
"""«по … X»: X is where it is known from."""

POST_NOUNS = _words("пост публикация запись заметка дайджест лента подборка опрос")
"""«… X» alone: what X has written."""

CHANNEL_NOUNS = _words("канал паблик чат channel")
TELEGRAM = _words("telegram телеграм телеграмм тг tg телега")
MEDIA_NOUNS = (
    CHANNEL_NOUNS
    | POST_NOUNS
    | SOURCE_NOUNS
    | _words(
        "сайт портал издание газета журнал блог редакция ресурс агентство сми",
    )
)
"""Nouns that may stand before a quoted name without making it a name of something else."""

OTHER_CHANNELS = _words(
    "ютуб ютюб youtube тв tv теле телевизионный rutube рутуб английский english"
)
"""«ютуб-канал», "TV channel": none of ours."""

PLACE_PREPOSITIONS = _words("на в во у из с со in on from at з")
"""«на Хабре»: where it was posted."""

TOPIC_PREPOSITIONS = _words("про о об обо насчет касательно about of regarding concerning")
"""«про Хабр»: what it is about, so no address."""

DIGEST_WORDS = _words(
    "дайджест сводка обзор выжимка digest recap summary summarize summarise summar"
)
"""«дайджест X»: a round-up of what X wrote."""

EXCLUSIONS = _words("кроме помимо без исключая except without besides excluding")
CONJUNCTIONS = _words("и или либо а and or та й або")

POSTED = (
    SAYING
    | POST_NOUNS
    | _words(
        "статья новость новый новинка интересный важный главный читать прочитать видеть увидеть",
        "встречаться попадаться мелькать мелькнуть появляться появиться выходить выйти быть",
        "история ссылка выпуск тема",
        "story article news new read see saw seen appear interest digest link was",
        "цікавий новина було стаття",
    )
)
"""Words that make a Latin name after a preposition («в Cybred») a place where people post."""

BETWEEN = _words(
    "еще уже недавно тогда вчера сегодня позавчера тоже также вообще нам мне там не однажды ли же",
    "помню помнится кажется вроде часто обычно на в днях это бы только так раз",
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь год",
    "just recently already also ever once yesterday today ever actually",
)
"""What may stand between a channel and its verb, as keys or lemmas; numbers may too."""

SORTING = _words("главный новый последний важный основной new latest last")
"""They sort news in «главное за неделю», and belong to the thing in «главная ёлка»."""

# What is left of a question when these are gone is what it is about.
EMPTY = (
    STOP_LEMMAS
    | INTERROGATIVES
    | SAYING
    | _words(
        "быть стать становиться мочь случиться произойти происходить оказаться являться",
        "называться",
        "стоить бывать иметь делать сделать дать хотеть знать помнить помню найти показать",
        "показывать новый новое нового интересный интересного важный главный главное основной",
        "последний неделя месяц сутки квартал week month новость новости пост публикация",
        "канал паблик тема итог дайджест обзор сводка",
        "подборка кратко подробно подробнее расскажи скажи подскажи покажи найди напомни дай",
        "давай пожалуйста плиз ещё еще также именно вообще кстати интересно вроде помнится",
        "кажется",
        "он она оно они это этот то тот такой все весь всё много мало быстро долго тут туда",
        "оттуда",
        "про об обо из изо со ко у за к от до с без для около после перед или либо нет да ну ведь",
        "говориться упоминаться ладно хорошо понятно ок ага привет здравствуйте спасибо ли бы же",
        "правда верно точно действительно каков таков его ее их ей ему им них нее него ней нем",
        "what how much many it its he she they them him her his their this that",
        "these those happen s t re ve did does do done been was were is are new news latest last",
        "tell me us show give please about post channel digest summary summari anyth someth thing",
        "so then okay ok thank hi hello true realli actual interest stori recent also more else",
        "що про що було цікавого цього це той які які та але або чи",
    )
)

MARKERS_RU = _words("а и но ну или также еще тогда")
MARKERS_EN = _words("and but so then or also")
"""Words that tie a question to what was said before when it begins with them."""

PRONOUNS = _words(
    "он она оно они его ее ему ей им их ими него нее нему ней ним ним нем них ними",
    "этот эта это эти этого этой этому этим этом этих этими тот та те того той тому тем том тех",
    "там туда оттуда тогда этому",
    "it its he him his she her hers they them their theirs these those",
    "він вона вони його її їх йому цей ця ці",
)
"""Keys that point at something said before."""

# Words that titles in Latin letters are made of and that questions use for the thing itself.
COMMON_LATIN = _words(
    "news live daily tech dev info media press times post world today online official channel",
    "chat club group team blog magazine journal digest review report research science data open",
    "free best top new big real true good home life style design marketing business startup",
    "startups money finance crypto bitcoin invest trade jobs work career music sport sports game",
    "games gaming food travel health auto cars movie movies film films books book kids family",
    "moscow russia london ukraine kyiv kiev europe china america usa russian english german",
    "spanish",
    "python java javascript typescript golang rust kotlin swift django flask react angular node",
    "linux windows android apple google microsoft amazon tesla nvidia telegram whatsapp youtube",
    "docker kubernetes devops frontend backend mobile security hacker hackers hacking coding code",
    "developer developers programming programmer software hardware cloud network database mysql",
    "postgres postgresql redis mongodb laravel symfony figma photoshop excel github gitlab jira",
    "chatgpt openai claude gemini machine learning deep artificial intelligence model models",
    "legal",
    "market bank city sale shop store space planet nature history politics war peace truth voice",
    "weekly hourly monthly insider update updates alert breaking global local street house room",
    "notes thoughts ideas memes memo humor jokes fun quotes facts tips tricks tutorial lessons",
    "school university college student students academy course courses learn teacher math physics",
)
