function wordsIn(text: string): readonly string[] {
  return text.split(' ')
}

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

/** Names of the languages that a user can have, written in other languages. The names are only used for suggestions. */
export const languageWords: Readonly<Record<string, readonly string[]>> = {
  en: wordsIn(
    'english engels englisch anglais engelsk engelska inglés inglês inglese angielski ingilizce 英語 英语 영어 английский',
  ),
  nl: wordsIn(
    'dutch nederlands niederländisch holländisch néerlandais hollandsk nederländska holandés holandês olandese holenderski',
  ),
  fr: wordsIn(
    'french frans französisch français fransk franska francés francês francese francuski fransızca フランス語',
  ),
  da: wordsIn('danish deens dänisch danois dansk danska danés dk'),
  sv: wordsIn('swedish zweeds schwedisch suédois svensk svenska sueco se'),
}

/** Names of columns that probably contain a field or a lookup key, in the form that `lettersOf` returns. Such a column needs `--map`. */
export const columnWords: readonly (readonly [name: string, words: RegExp])[] = [
  [
    'external_user_id',
    /^(id|ids|user|users|matricule|kennung|identifiant|identificador)$|(employee|staff|pers(on(n?el|al|eels?)?)?|patient|customer|client|member|participant|mitarbeiter|kunden?|klant|medewerkers?|werknemers?|deelnemers?|medarbejder|medlems?|anstallnings?|empleado|employe|cliente?|paciente|user|benutzer|gebruikers?|utilisateur|anvandar|bruger|externe?|external)(s|n)?(id|ids|nr|no|num|number|nummer|numero|code|kennung|nyckel)?$|^(id|num|numero|matricule)(d?e?l?)(employe|empleado|personal|client|cliente|patient|paciente|usuario|utilisateur|salarie)s?$|(id)(nr|nummer|number|code)$/,
  ],
  [
    'external_user_id',
    /^(matricola|matricula|legajo|pernr|filenumber|badgenumber|payrollnumber|numerpracownika|nrpracownika|sicilno|personelno|osobnicislo|torzsszam|tyontekijanumero|ansattnummer|社員番号|従業員番号|職員番号|患者番号|工号|员工编号|사번|사원번호|табельныйномер|رقمالموظف)$/,
  ],
  ['lookup_key', /^(key|question|frage|vraag|pregunta|sporgsmal|fraga|cle)(key|id)?s?$/],
  [
    'lookup_key',
    /^(key|keys|question|questions|questionid|questionkey|frage|vraag|pregunta|sporgsmal|fraga|cle|domanda|pergunta|pytanie|soru|質問|attribute|attributes|attribut|attributo|atributo|kenmerk|merkmal|variable)$/,
  ],
  [
    'value',
    /^(answer|answers|wert|waarde|valeur|valor|vaerdi|varde|antwort|antwoord|reponse|respuesta|svar|risposta|resposta|odpowiedz|cevap|回答)$/,
  ],
  [
    'timezone',
    /^(tijdzone|zeitzone|fuseauhoraire|zonahoraria|tidszone|tidszon|fusoorario|fusohorario|strefaczasowa|saatdilimi)$/,
  ],
  ['birth_date', /^dateofbirth/],
  [
    'birth_date',
    /^(geboortedatum|geburtsdatum|geburtstag|geb|gebdatum|gebdat|gbdat|datedenaissance|datenaissance|ddn|nele|fechadenacimiento|fechanacimiento|nacimiento|fodselsdato|fodselsdag|fodelsedatum|fodelsedag|born|birth|datadinascita|datadenascimento|nascimento|dataurodzenia|dogumtarihi|datumnarozeni|szuletesidatum|syntymaaika|生年月日|出生日期|생년월일|датарождения|تاريخالميلاد|ημερομηνιαγεννησης)$/,
  ],
  [
    'sex',
    /^(gender|gendercode|sexcode|legalsex|biologicalsex|sexassignedatbirth|geslacht|geschl|geschlecht|gesch|sexe|sexo|genero|genre|kon|koen|kjonn|sesso|plec|cinsiyet|pohlavi|sukupuoli|nem|φυλο|性別|性别|성별|пол|الجنس)$/,
  ],
  ['language', /^(lang|locale|taal|sprache|langue|idioma|lengua|sprog|sprak)(code|kode|kod)?$/],
  [
    'language',
    /^(taal|sprache|langue|idioma|lengua|sprog|sprak|lingua|jezyk|dil|jazyk|nyelv|kieli|言語|语言|언어|язык|اللغة)$/,
  ],
  [
    'preferred_unit_system',
    /^(eenheden|einheiten|unites|unidades|enheder|enheter|measurementsystem|unit|unita|jednostki|birimler|単位)$/,
  ],
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
