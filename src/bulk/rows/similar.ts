import { distance } from 'fastest-levenshtein'
import { hasMeaning, readAsOf } from './column-names.ts'
import { fieldNames, lettersOf, plainName, type TableKind } from './fields.ts'
import type { TableRules } from './table.ts'

/** Units of the service. A column with another unit is not suggested for answers, because its values would be wrong. */
const keptUnits = new Set([
  ...['', 'cm', 'kg', 'kgs', 'см', 'кг', '公分', '厘米', '公斤', '千克'],
  ...['ซม.', 'กก.', 'ס"מ', 'ק"ג', 'سم', 'كجم', 'كغ', 'किग्रा', 'सेमी'],
  ...['სმ', 'კგ', 'սմ', 'կգ', 'εκ.', 'κιλά'],
])
/** Text in parentheses at the end of a column name, such as `Weight (kg)` and `Geslacht (m/v)`. */
const inParentheses = /^(.*?)\s*[([（]\s*(.*?)\s*[)\]）]\W*$/u
/** A unit at the end of a column name, such as `weight_lb` and `HeightCm`. */
const unitAtEnd =
  /^(.+?)(?:[\s_-]+(?:in |en |em |i |w )?|(?=(?:lbs?|kg|cm)$))(kgs?|cm|mm|m|g|lbs?|pounds?|oz|st|stones?|in|inch(?:es)?|ft|feet)$/i
const otherUnit = /(?:^|[^a-z])(?:mm|lbs?|pounds?|oz|stones?|inch(?:es)?|ft|feet)(?![a-z])/i

function unitIn(name: string): { start: string; unit: string } {
  const [, start = name, unit = ''] = inParentheses.exec(name) ?? unitAtEnd.exec(name) ?? []
  return { start, unit: unit.toLowerCase() }
}

/** Maximum length of a name that is compared with known names, because the patterns are slow for a long name with many spaces. */
const maxCompared = 200

/** The field or lookup key that a column probably contains. Its name may be a foreign word, include a unit, or be misspelled. */
export function similarTo(name: string, kind: TableKind, keys: readonly string[]): string | undefined {
  if (name.length > maxCompared) return undefined
  const ofKind = fieldNames(kind)
  const outside = inParentheses.exec(name)?.[1] ?? name
  const field = wordFor(outside, ofKind)
  if (field !== undefined) return field
  const { start, unit } = unitIn(name)
  if (!keptUnits.has(unit)) return closest(outside, ofKind)
  return wordFor(start, keys) ?? closest(start, [...ofKind, ...keys])
}

function wordFor(name: string, targets: readonly string[]): string | undefined {
  const letters = lettersOf(name)
  const found = Object.entries(columnWords).find(
    ([target, words]) => targets.includes(target) && words.some((word) => word.test(letters)),
  )
  return found?.[0]
}

/** Whether a column name is a field or a lookup key, or similar to one. */
export function isLikelyName(name: string, rules: TableRules): boolean {
  const readAs = readAsOf(name, rules)
  return hasMeaning(readAs, rules) || similarTo(readAs, rules.kind, rules.known ?? []) !== undefined
}

/** If a column name, such as a question, contains exactly one lookup key, returns this key. Otherwise, returns undefined. */
export function keyIn(
  name: string,
  { kind, known = [] }: { kind: TableKind; known?: readonly string[] },
): string | undefined {
  if (name.length > maxCompared) return undefined
  const { unit } = unitIn(name)
  if (otherUnit.test(name) || (unit.length < 3 && !keptUnits.has(unit))) return undefined
  const words = `_${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')}_`
  const found = kind === 'answers' ? known.filter((key) => words.includes(`_${key}_`)) : []
  return found.length === 1 ? found[0] : undefined
}

/** The candidate that differs from the name in the fewest letters. Undefined if none is similar, or if several are equally similar. */
function closest(name: string, candidates: readonly string[]): string | undefined {
  const plain = plainName(name)
  if (plain.length < 5) return undefined
  const most = Math.max(1, Math.floor(plain.length / 4))
  const distances = candidates.map((candidate) => distance(plain, plainName(candidate)))
  const least = Math.min(...distances)
  const [found, ...others] = candidates.filter((_, at) => distances[at] === least)
  return least <= most && others.length === 0 ? found : undefined
}

/** Patterns for column names that probably mean a field or a lookup key. They match texts from `lettersOf`. Such a column needs `--map`. */
const columnWords: Readonly<Record<string, readonly RegExp[]>> = {
  external_user_id: [
    /^(id|ids|user|users|matricule|kennung|identifiant|identificador)$|(employee|staff|pers(on(n?el|al|eels?)?)?|patient|customer|client|member|participant|mitarbeiter|kunden?|klant|medewerkers?|werknemers?|deelnemers?|medarbejder|medlems?|ansatt|anstallnings?|empleado|employe|cliente?|paciente|user|benutzer|gebruikers?|utilisateur|anvandar|bruger|externe?|external)(s|n)?(id|ids|nr|no|num|number|nummer|numero|code|kennung|nyckel)?$|^(id|no|num|numero|matricule|codice|codigo)(d?e?l?)(employe|empleado|personal|client|cliente|patient|paciente|usuario|utilisateur|salarie|dipendente|paziente|colaborador|trabajador|mecanografico)s?$|(id)(nr|nummer|number|code)$/,
    /^(matricola|matricula|legajo|pernr|filenumber|badgenumber|payrollnumber|numerpracownika|nrpracownika|sicilno|personelno|osobnicislo|torzsszam|tyontekijanumero|ansattnummer|社員番号|従業員番号|職員番号|患者番号|工号|员工编号|사번|사원번호|табельныиномер|رقمالموظف|员工号|員工編號|工號|患者编号|病歷號|รหัสพนักงาน|מספרעובד|manhanvien|табельнииномер|табеленномер|کدپرسنلی|شمارهپرسنلی|कर्मचारीआईडी|αριθμοςμητρωου|κωδικοςυπαλληλου|numarmatricol|maticnibroj|masonhanvien|tabelionumeris|tootajanumber|nomorkaryawan|환자번호|cislozamestnance|رقمالمريض|служебенномер|პირადინომერი|თანამშრომლისნომერი|աշխատակցիհամար)$/,
    /^((empl?|worker|subject|respondent|record)(id|no|nr|num|number|code)|mrn|external(data)?ref(erence)?)$/,
  ],
  lookup_key: [
    /^(key|question|frage|vraag|pregunta|sporgsmal|fraga|cle)(key|id)?s?$/,
    /^(key|keys|question|questions|questionid|questionkey|frage|vraag|pregunta|sporgsmal|fraga|cle|domanda|pergunta|pytanie|soru|質問|attribute|attributes|attribut|attributo|atributo|kenmerk|merkmal|variable|otazka|kerdes|kysymys|ερωτηση|вопрос|питання|שאלה|سؤال|设问|設問|问题|問題|질문|คำถาม)$/,
  ],
  value: [
    /^(answer|answers|wert|waarde|valeur|valor|vaerdi|varde|antwort|antwoord|reponse|respuesta|svar|risposta|resposta|odpowiedz|cevap|回答|odpoved|valasz|vastaus|απαντηση|ответ|відповідь|תשובה|اجابة|答案|답변|คำตอบ|hodnota|ertek|arvo|τιμη|значение|значення|ערך|قيمة|wartosc|deger)$/,
  ],
  timezone: [
    /^(tijdzone|zeitzone|fuseauhoraire|zonahoraria|tidszone|tidszon|fusoorario|fusohorario|strefaczasowa|saatdilimi|casovepasmo|idozona|aikavyohyke|ζωνηωρας|часовоипояс|часовиипояс|אזורזמן|المنطقةالزمنية|タイムゾーン|时区|時區|시간대|เขตเวลา|muigio)$/,
  ],
  birth_date: [
    /^dateofbirth/,
    /^(geboortedatum|geburtsdatum|geburtstag|geb|gebdatum|gebdat|gbdat|datedenaissance|datenaissance|ddn|neele|nele|gebam|datanasc|fnacimiento|fechadenacimiento|fechanacimiento|nacimiento|fodselsdato|fodselsdag|fodelsedatum|fodelsedag|born|birth|datadinascita|datadenascimento|nascimento|dataurodzenia|dogumtarihi|datumnarozeni|szuletesidatum|syntymaaika|生年月日|出生日期|생년월일|датарождения|تاريخالميلاد|ημερομηνιαγεννησης|出生年月|วันเกิด|תאריךלידה|ngaysinh|датанародження|датанараждане|датумрођења|تاریختولد|जन्मतिथि|วันเดือนปีเกิด|datumrođenja|datumrojstva|datumnarodenia|datanasterii|gimimodata|dzimsanasdatums|sunniaeg|tanggallahir|出生年月日|生日|დაბადებისთარიღი|ծննդյանամսաթիվ)$/,
  ],
  sex: [
    /^(gender|gendercode|sexcode|legalsex|biologicalsex|sexassignedatbirth|geslacht|geschl|geschlecht|gesch|sexe|sexo|genero|genere|genre|kon|koen|kjonn|sesso|plec|cinsiyet|pohlavi|sukupuoli|nem|φυλο|性別|性别|성별|пол|الجنس|เพศ|מין|gioitinh|стать|جنسیت|लिंग|lytis|dzimums|sugu|kyn|pohlavie|spol|jeniskelamin|neme|სქესი|սեռ)$/,
  ],
  language: [
    /^(lang|locale|taal|sprache|langue|idioma|lengua|sprog|sprak)(code|kode|kod)?$/,
    /^(taal|sprache|langue|idioma|lengua|sprog|sprak|lingua|jezyk|dil|jazyk|nyelv|kieli|言語|语言|언어|язык|اللغة|мова|γλωσσα|שפה|زبان|भाषा|ภาษา|ngonngu|limba|語言)$/,
  ],
  preferred_unit_system: [
    /^(eenheden|einheiten|unites|unidades|enheder|enheter|measurementsystem|unit|unita|jednostki|birimler|単位)$/,
  ],
  height: [
    /^(lengte|lichaamslengte|(korper)?gro(e)?sse|taille|estatura|altura|hojde|langd|altezza|statura|wzrost|boy|vyska|magassag|pituus|身長|身高|신장|рост|υψος|зріст|ръст|גובה|الطول|طول|قد|ऊंचाई|ส่วนสูง|chieucao|visina|inaltime|ugis|augums|pikkus|tinggibadan|სიმაღლე|հասակ)$/,
  ],
  weight: [
    /^((lichaams|korper)?gewicht|poids|peso|vaegt|vikt|waga|kilo|hmotnost|testsuly|paino|体重|체중|вес|βαρος|вага|тегло|משקל|الوزن|وزن|體重|वजन|น้ำหนัก|cannang|tezina|teza|greutate|svoris|svars|beratbadan|წონა|քաշ)$/,
  ],
  smoking: [
    /^(roken|roker|rauchen|raucher|fumeu(r|se)|tabac|fumar|fumador|rygning|ryger|rokning|rokare|smoker|fumo|fumatore|palenie|sigara|喫煙|курение|koureni|kurak|dohanyzas|dohanyzik|tupakointi|καπνισμα|куріння|עישון|التدخين|吸烟|吸菸|흡연|สูบบุหรี่|hutthuoc|fajcenie|pusenje|fumat)$/,
  ],
  age: [
    /^(leeftijd|alter|edad|alder|eta|idade|wiek|yas|年齢|年龄|나이|возраст|vek|eletkor|ika|ηλικια|вік|גיל|العمر|سن|उम्र|आयु|อายุ|tuoi|年齡)$/,
  ],
}
