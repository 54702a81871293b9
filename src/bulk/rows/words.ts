/**
 * First letters and words for the sexes, in the languages of the service. They are only used for suggestions, because M means a man in
 * French and a woman in Spanish.
 */
export const sexWords: readonly Readonly<Record<string, readonly string[]>>[] = [
  { F: ['v', 'vrouw'], M: ['m', 'man'] },
  { F: ['w', 'weiblich', 'frau'], M: ['m', 'männlich', 'mann'] },
  { F: ['f', 'femme', 'féminin'], M: ['h', 'homme', 'masculin'] },
  { F: ['m', 'mujer', 'femenino'], M: ['h', 'hombre', 'masculino', 'varón'] },
  { F: ['k', 'kvinde', 'kvinna'], M: ['m', 'mand', 'man'] },
  { F: ['f', 'female', 'woman', 'girl'], M: ['m', 'male', 'man', 'boy'] },
  { F: ['f', 'femmina', 'donna'], M: ['m', 'maschio', 'uomo'] },
  { F: ['f', 'feminino', 'mulher'], M: ['m', 'masculino', 'homem'] },
  { F: ['k', 'kobieta'], M: ['m', 'mężczyzna'] },
  { F: ['k', 'kadın'], M: ['e', 'erkek'] },
  { F: ['ж', 'женский', 'женщина'], M: ['м', 'мужской', 'мужчина'] },
  { F: ['女', '女性', '여', '여성'], M: ['男', '男性', '남', '남성'] },
  { F: ['أنثى'], M: ['ذكر'] },
  { F: ['ž', 'žena'], M: ['m', 'muž'] },
  { F: ['nő'], M: ['férfi'] },
  { F: ['γ', 'γυναίκα', 'θήλυ'], M: ['α', 'άνδρας', 'άρρεν'] },
  { F: ['נ', 'נקבה'], M: ['ז', 'זכר'] },
]

/** Names of the languages that a user can have, written in each of these languages. The names are only used for suggestions. */
export const languageWords: readonly Readonly<Record<string, readonly string[]>>[] = [
  {
    en: [
      'english',
      'engels',
      'englisch',
      'anglais',
      'engelsk',
      'engelska',
      'inglés',
      'inglês',
      'inglese',
      'angielski',
      'ingilizce',
      '英語',
      '英语',
      '영어',
      'английский',
    ],
    nl: [
      'dutch',
      'nederlands',
      'niederländisch',
      'holländisch',
      'néerlandais',
      'hollandsk',
      'nederländska',
      'holandés',
      'holandês',
      'olandese',
      'holenderski',
    ],
    fr: [
      'french',
      'frans',
      'französisch',
      'français',
      'fransk',
      'franska',
      'francés',
      'francês',
      'francese',
      'francuski',
      'fransızca',
      'フランス語',
    ],
    da: ['danish', 'deens', 'dänisch', 'danois', 'dansk', 'danska', 'danés', 'dk'],
    sv: ['swedish', 'zweeds', 'schwedisch', 'suédois', 'svensk', 'svenska', 'sueco', 'se'],
  },
]

/** Words for lookup keys, in the languages of the service. The words are only used for suggestions. */
export const keyWords: readonly (readonly [key: string, words: RegExp])[] = [
  [
    'height',
    /^(lengte|lichaamslengte|(korper)?gro(e)?sse|taille|estatura|altura|hojde|langd|altezza|statura|wzrost|boy|vyska|magassag|pituus|身長|身高|신장|рост)$/,
  ],
  [
    'weight',
    /^((lichaams|korper)?gewicht|poids|peso|vaegt|vikt|waga|kilo|hmotnost|testsuly|paino|体重|체중|вес)$/,
  ],
  [
    'smoking',
    /^(roken|roker|rauchen|raucher|fumeu(r|se)|tabac|fumar|fumador|rygning|ryger|rokning|rokare|smoker|fumo|fumatore|palenie|sigara|喫煙|курение)$/,
  ],
  ['age', /^(leeftijd|alter|edad|alder|eta|idade|wiek|yas|年齢|年龄|나이|возраст)$/],
]
