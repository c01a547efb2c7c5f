"""Posts with what they say in other words, and with what they do not say."""

from __future__ import annotations

# Each: a post, what it says, what it does not say. Posted on 5 May 2024, a Sunday.

BRIDGE = (
    "Паромный мост открыли вчера после ремонта. Реконструкция длилась 250 дней и обошлась "
    "городу в 3,5 млрд рублей. Мэр Олег Дятлов приехал на церемонию."
)
BANK = (
    "Центробанк повысил ключевую ставку до 16% годовых. Глава регулятора Эльвира Набиуллина "
    "заявила, что инфляция замедлится к концу 2024 года. Рубль не отреагировал на решение."
)
CLUB = (
    "«Заря» победила «Маяк» со счётом 3:1. Два гола забил Иван Лужин. "
    "Тренер «Маяка» Пётр Громов подал в отставку после матча."
)
LAB = (
    "Компания Acme может открыть лабораторию в Казани. По словам директора Анны Ким, решение "
    "пока не принято. Якобы проект оценили в 40 млн долларов."
)
METRO = (
    "С 12 мая метро закроют на два часа раньше обычного. Пассажиров перевезут 45 автобусов. "
    "Ограничения введут на трёх станциях: «Речной», «Лесной» и «Полевой»."
)
LAW = (
    "Госдума отклонила законопроект о запрете самокатов. За него проголосовали 120 депутатов, "
    "против — 230. Минтранс опроверг сообщения о том, что прокат закроют."
)
SHOP = (
    "Выручка сети «Лавка» выросла на 20% до 1,2 млрд рублей. Число магазинов увеличилось с 300 "
    "до 340. Чистая прибыль упала вдвое."
)
PYTHON = (
    "Вышел Python 3.13: в нём появился новый интерактивный интерпретатор. JIT-компилятор пока "
    "экспериментальный и по умолчанию выключен. Поддержка версии продлится пять лет."
)
FIRE = (
    "Ночью на складе в Подольске произошёл пожар. Площадь возгорания составила 2 тыс. кв. м. "
    "Пострадавших нет, причину выясняют. Огонь потушили за четыре часа."
)
SCHOOL = (
    "В посёлке Ясное построят школу на 600 мест. Завершить работы планируют в декабре 2025 года. "
    "Подрядчик получил половину денег авансом."
)

RUSSIAN: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        BRIDGE,
        (
            "Паромный мост открыли 4 мая 2024 года.",
            "Реконструкция Паромного моста стоила 3 500 000 000 рублей и длилась 250 дней.",
            "Ремонт моста обошёлся в 3,5 миллиарда рублей.",
        ),
        (
            "Паромный мост открыли 5 мая.",
            "Реконструкция обошлась городу в 3,5 млн рублей.",
            "Реконструкция длилась 250 недель.",
            "Мэр Олег Дятлов не приехал на церемонию.",
        ),
    ),
    (
        BANK,
        (
            "ЦБ поднял ключевую ставку до 16 процентов.",
            "Эльвира Набиуллина сказала, что к концу 2024 года инфляция замедлится.",
            "Рубль на решение не отреагировал.",
        ),
        (
            "Центробанк снизил ключевую ставку до 16% годовых.",
            "Эльвира Набиуллина заявила, что инфляция ускорится к концу 2024 года.",
            "Рубль отреагировал на решение.",
            "Центробанк повысил ключевую ставку до 18% годовых.",
        ),
    ),
    (
        CLUB,
        (
            "«Маяк» уступил «Заре».",
            "Иван Лужин забил два гола.",
            "После матча Громов, тренер «Маяка», подал в отставку.",
            "«Заря» выиграла у «Маяка».",
        ),
        (
            "«Маяк» победил «Зарю» со счётом 3:1.",
            "Два гола забил Пётр Громов, тренер «Зенита».",
            "Иван Лужин забил три гола.",
            "«Заря» победила «Маяк» со счётом 3:2.",
        ),
    ),
    (
        LAB,
        (
            "Acme, возможно, откроет лабораторию в Казани.",
            "По словам Анны Ким, решение ещё не принято.",
            "Проект якобы оценили в 40 миллионов долларов.",
        ),
        (
            "Компания Acme открыла лабораторию в Казани.",
            "Решение принято, сказала директор Анна Ким.",
            "Проект оценили в 40 млн рублей.",
            "Компания Acme может открыть лабораторию в Самаре.",
        ),
    ),
    (
        METRO,
        (
            "С 12 мая метро будут закрывать на два часа раньше.",
            "Пассажиров будут перевозить 45 автобусов.",
            "Ограничения введут на станциях «Речной», «Лесной» и «Полевой».",
        ),
        (
            "С 12 мая метро закроют на два часа позже обычного.",
            "С 12 июня метро закроют на два часа раньше обычного.",
            "Ограничения введут на станции «Горной».",
        ),
    ),
    (
        LAW,
        (
            "Законопроект о запрете самокатов Госдума отклонила.",
            "За законопроект проголосовали 120 депутатов.",
        ),
        (
            "Госдума приняла законопроект о запрете самокатов.",
            "Прокат закроют.",
            "За законопроект проголосовали 230 депутатов, против — 120 сенаторов.",
        ),
    ),
    (
        SHOP,
        (
            "Выручка «Лавки» увеличилась на 20% и достигла 1 200 000 000 рублей.",
            "Чистая прибыль «Лавки» снизилась в 2 раза.",
            "У сети стало 340 магазинов, раньше их было 300.",
        ),
        (
            "Выручка сети «Лавка» упала на 20% до 1,2 млрд рублей.",
            "Чистая прибыль выросла вдвое.",
            "Чистая прибыль упала втрое.",
        ),
    ),
    (
        PYTHON,
        (
            "В Python 3.13 появился новый интерактивный интерпретатор.",
            "JIT-компилятор по умолчанию выключен.",
            "Версия будет поддерживаться 5 лет.",
        ),
        (
            "Вышел Python 3.12: в нём появился новый интерактивный интерпретатор.",
            "JIT-компилятор по умолчанию включен.",
            "Поддержка версии продлится пять месяцев.",
        ),
    ),
    (
        FIRE,
        (
            "Пожар в Подольске потушили за 4 часа.",
            "Площадь пожара — 2000 квадратных метров.",
            "На складе в Подольске ночью произошёл пожар, пострадавших нет.",
        ),
        (
            "Ночью на складе в Подольске произошёл пожар, есть пострадавшие.",
            "Площадь возгорания составила 2 тыс. гектаров.",
            "Огонь потушили за четыре дня.",
        ),
    ),
    (
        SCHOOL,
        (
            "Школу на 600 мест построят в посёлке Ясное.",
            "Работы планируют завершить в декабре 2025 года.",
            "Подрядчик получил авансом 50% денег.",
        ),
        (
            "В посёлке Ясное построят школу на 900 мест.",
            "Работы планируют завершить в ноябре 2025 года.",
            "Подрядчик не получил денег авансом.",
        ),
    ),
)

DEAL = (
    "Northwind bought Contoso for $3.5 billion on Friday. The deal was announced by chief "
    "executive Maria Lopez, who said it would not lead to layoffs."
)
STORM = (
    "The storm left more than 40,000 homes without power in Ohio. Governor Dan Reed may declare "
    "an emergency. Schools reopened yesterday."
)
CHIP = (
    "Fabrikam denied reports that it plans to sell its chip unit. Revenue rose 12% to 480 million "
    "euros, while profit fell by half. The company has 2,300 employees."
)
TEAM = (
    "Harrow beat Eton 2-1 in the final. Jack Moss scored both goals in the second half. "
    "The match was watched by 18,000 people."
)

ENGLISH: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        DEAL,
        (
            "Northwind acquired Contoso for 3.5 billion dollars.",
            "Contoso was bought by Northwind on Friday.",
            "Maria Lopez said the deal would not lead to layoffs.",
            "On 3 May 2024 Northwind bought Contoso.",
        ),
        (
            "Contoso bought Northwind for $3.5 billion on Friday.",
            "Northwind bought Contoso for $3.5 million on Friday.",
            "Maria Lopez said the deal would lead to layoffs.",
            "Northwind bought Contoso for $3.5 billion on Monday.",
        ),
    ),
    (
        STORM,
        (
            "More than 40 thousand homes in Ohio were left without power by the storm.",
            "Governor Dan Reed might declare an emergency.",
            "Schools reopened on May 4.",
        ),
        (
            "The storm left less than 40,000 homes without power in Ohio.",
            "Governor Dan Reed declared an emergency.",
            "The storm left more than 40,000 homes without power in Iowa.",
            "Schools reopened on May 2.",
        ),
    ),
    (
        CHIP,
        (
            "Fabrikam's revenue grew 12 percent to 480 million euros.",
            "Profit fell 50%.",
            "Fabrikam has 2300 employees.",
        ),
        (
            "Fabrikam plans to sell its chip unit.",
            "Revenue fell 12% to 480 million euros.",
            "Revenue rose 12% to 480 million dollars.",
            "Fabrikam has 3,200 employees.",
        ),
    ),
    (
        TEAM,
        (
            "In the final, Harrow defeated Eton 2-1.",
            "Both goals were scored by Jack Moss.",
            "18,000 people watched the match.",
            "Jack Moss scored two goals in the second half.",
        ),
        (
            "Eton beat Harrow 2-1 in the final.",
            "Jack Moss scored both goals in the first half.",
            "The match was watched by 81,000 people.",
            "Harrow lost to Eton 2-1 in the final.",
        ),
    ),
)

ACROSS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        BRIDGE,
        ("The bridge was reopened on May 4 after 250 days of repairs.",),
        ("The bridge was reopened after 350 days for 3.5 billion rubles.",),
    ),
    (
        BANK,
        ("Elvira Nabiullina said that inflation would slow by the end of 2024.",),
        ("Maxim Oreshkin said that inflation would slow by the end of 2024.",),
    ),
    (
        DEAL,
        ("Northwind купила Contoso за 3,5 млрд долларов.",),
        ("Northwind купила Contoso за 3,5 млрд рублей.",),
    ),
)
