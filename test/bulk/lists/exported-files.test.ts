import { expect, test } from 'vitest'
import { UnclearFile } from '../../../src/bulk/questions.ts'
import { encoded } from '../dirty-file.ts'
import { usersOf } from './users-of.ts'

const dates = (...cells: string[]) =>
  `external_user_id;birth_date\n${cells.map((cell, n) => `A${n};${cell}`).join('\n')}\n`

test.each([
  ['lines above the header', 'Export\n\nCompany: X;;\nexternal_user_id;sex\nA1;M\n', ['5 A1 M']],
  ['row numbers written by R', '"","external_user_id","sex"\n"1","A1","M"\n', ['2 A1 M']],
  ['a row of totals', 'external_user_id,sex\nA1,M\nTotal: 2,\n', ['2 A1 M', '3 user_damaged']],
  ['a line of dashes below the header', 'external_user_id|sex\n---|\nA1|M\n', ['2 user_damaged', '3 A1 M']],
  [
    'thousands separators',
    'external_user_id;sex\n1\u00a0001;M\n"1,002";F\n1\'003;F\n1’004;F\n1\u202f005;F\n',
    ['2 user_damaged', '3 user_damaged', '4 user_damaged', '5 user_damaged', '6 user_damaged'],
  ],
  [
    'a repeated header',
    'external_user_id,name\nA1,x\nexternal_user_id,name\n',
    ['2 A1', '3 header_repeated'],
  ],
  [
    'the question texts and import IDs of a Qualtrics export',
    'external_user_id,StartDate,ResponseId,sex\nReference,Start Date,Response ID,\n"{""ImportId"":""QID1""}",,,\nA1,,R_1,M\n',
    ['2 header_repeated', '3 user_damaged', '4 A1 M'],
  ],
  [
    'a JSON list with a long ID',
    'external_user_id,sex\n"[""a81bc81b-dead-4e5d-abff-90865d1e13b1""]",M\n',
    ['2 user_damaged'],
  ],
  ['a date of 12 letters', 'external_user_id,sex\n14--Mar-2026,M\n', ['2 user_damaged']],
  ['cells that contain their column name', 'external_user_id,note,team\nA1 B,Note,IT\n', ['2 A1 B']],
  ['a wrong separator line', 'sep=;\nexternal_user_id,sex\nA1,M\n', ['3 A1 M']],
  ['IDs in quotation marks', '"A1"\n"A2"\n', ['1 A1', '2 A2']],
  ['a delimiter after each ID', 'A1;\nA2;\n', ['1 A1', '2 A2']],
  [
    'texts that are not IDs',
    'external_user_id,sex\nSumma,\nGesamtergebnis,\nTotal général,\n合計,\n(2 rows),\n“A1”,\n- A2,\n',
    Array.from({ length: 7 }, (_, at) => `${at + 2} user_damaged`),
  ],
  [
    'rows of totals in other languages',
    `external_user_id,sex\nA1,M\n${['Összesen', 'Celkem', 'Yhteensä', 'Σύνολο', 'Всего', 'סה״כ', 'المجموع الكلي', 'รวม', '總計', '총합계', 'Tổng cộng', 'Totale complessivo', 'All', 'Średnia'].map((text) => `${text},\n`).join('')}`,
    ['2 A1 M', ...Array.from({ length: 14 }, (_, at) => `${at + 3} user_damaged`)],
  ],
  [
    'errors of LibreOffice and Google Sheets, Finnish booleans, and dots as thousands separators',
    'external_user_id\nA1\nErr:502\nLoading...\nTOSI\nEPÄTOSI\n1.002\n12.345.678\n',
    ['2 A1', ...Array.from({ length: 6 }, (_, at) => `${at + 3} user_damaged`)],
  ],
  [
    'texts for a missing ID',
    'external_user_id,sex\nA1,M\n\\N,\nNULL,\nNaN,\nN/A,\nundefined,\n[object Object],\n',
    ['2 A1 M', ...Array.from({ length: 6 }, (_, at) => `${at + 3} user_damaged`)],
  ],
  [
    'booleans in other languages',
    'external_user_id\nA1\nDOĞRU\nYANLIŞ\nFAŁSZ\nИСТИНА\n',
    ['2 A1', ...Array.from({ length: 4 }, (_, at) => `${at + 3} user_damaged`)],
  ],
  ['the last line of a PostgreSQL export', 'external_user_id\nA1\n\\.\n', ['2 A1', '3 user_damaged']],
  ['decimals in IDs', 'external_user_id;sex\n101,00;M\n102.0;M\n', ['2 user_damaged', '3 user_damaged']],
  ['apostrophes before numbers', "external_user_id,sex\n'000101,M\n", ['2 user_damaged']],
  [
    'apostrophes before formulas',
    "external_user_id,sex\n'=1+1,M\n'-5,F\n",
    ['2 user_damaged', '3 user_damaged'],
  ],
  [
    'digits of other scripts',
    'external_user_id\nA1\n１００１\n١٠٠٢\n',
    ['2 A1', '3 user_damaged', '4 user_damaged'],
  ],
  ['Indian thousands separators', 'external_user_id;sex\n1,00,001;M\n', ['2 user_damaged']],
  [
    'a text in a wrong encoding',
    'external_user_id\nM\ufffdller\nMÃ¼ller\nMüller\n',
    ['2 user_damaged', '3 user_damaged', '4 Müller'],
  ],
  [
    'invisible characters inside IDs',
    'external_user_id\nA\u200b1\nA\u00ad2\nA\u202e3\nA4\u2800\n',
    Array.from({ length: 4 }, (_, at) => `${at + 2} user_damaged`),
  ],
  [
    'IDs that a spreadsheet converted to dates',
    'external_user_id\n14-Mar\nMar-26\nSept-26\n1-Mar-2026\n14. Mrz\n2026-3-14\n2026-03-14 00:00:00\n14/03/2026\n1/3/2026\n12:30:00\n',
    Array.from({ length: 10 }, (_, at) => `${at + 2} user_damaged`),
  ],
  [
    'IDs that are similar to dates',
    'external_user_id\n03-14\n12-ABC\nMAR-1001\n2026-0314\n1.2.3\n123-45-6789\n',
    ['03-14', '12-ABC', 'MAR-1001', '2026-0314', '1.2.3', '123-45-6789'].map((id, at) => `${at + 2} ${id}`),
  ],
  [
    'a row of totals with values',
    'external_user_id;sex;Name\nA1;M;x\nTotal;2;2\n',
    ['2 A1 M', '3 user_damaged'],
  ],
  [
    'empty columns that are missing in a row',
    'external_user_id,sex,,\nA1,M,,\nA2,F\nA3\n',
    ['2 A1 M', '3 A2 F', '4 short_row'],
  ],
  [
    'a quotation mark that is missing, and another one that is misplaced, so that one row contains another row',
    'external_user_id,name,sex\n000101,"Bob,F\n000102,x",M\n000103,"a\nb",F\n000104,"x,M\r\n000105,y,M\r\n000106,z",F\n',
    ['2 stray_quote', '4 000103 F', '6 stray_quote'],
  ],
  [
    'such quotation marks beside a cell with a delimiter, in a file whose IDs are in the last column',
    'name,sex,external_user_id\n"Bob,F,A1\nx",M,A2\n"a, b",M,A3\n',
    ['2 stray_quote', '4 A3 M'],
  ],
  [
    'such quotation marks in a file with tabs',
    'external_user_id\tname\tsex\nA1\t"Bob\tF\nA2\tx"\tM\nA3\t"a\nb"\tF\n',
    ['2 stray_quote', '4 A3 F'],
  ],
  [
    'addresses that contain delimiters and newlines',
    'external_user_id,address,sex\n4711,"Main St 1, Apt 2\nSpringfield, IL 62704",M\n4712,"Kade 3,\r\n1012 AB, Delft",F\n',
    ['2 4711 M', '4 4712 F'],
  ],
  [
    'addresses before the ID',
    'address,external_user_id,sex\n"Main St 1\nApt 2, Springfield",4711,M\n"a, 4711\nb",4712,F\n',
    ['2 4711 M', '4 4712 F'],
  ],
  [
    'tabs and newlines in a quoted cell of a file with tabs',
    'external_user_id\tnote\tsex\nA1\t"a\tb\nc"\tM\nA2\t"a\n\tb"\tF\n',
    ['2 A1 M', '4 A2 F'],
  ],
  ['soft hyphens around IDs', 'external_user_id,sex\n\u00adA1,M\nA2\u00ad,F\n', ['2 A1 M', '3 A2 F']],
  ['zero-width characters', '\u200bexternal_user_id\u200b,sex\n\u200bA1,M\u200e\n', ['2 A1 M']],
  [
    'three forms of midnight',
    dates('1984-02-29 00:00:00.000', '1990-05-13T00:00Z', '1990-05-13 0:00'),
    ['2 A0 1984-02-29', '3 A1 1990-05-13', '4 A2 1990-05-13'],
  ],
  [
    'midnight in Spanish',
    dates('1984-02-29 12:00:00 a.\u00a0m.', '1990-05-13 12:00 a. m.'),
    ['2 A0 1984-02-29', '3 A1 1990-05-13'],
  ],
])('a command reads a list of users that another program exported with %s', async (_, text, users) => {
  expect(await usersOf(text)).toEqual(users)
})

test.each([
  [dates('2/29/1984 00:00', '5/13/1990 12:00:00 AM'), '--date-format M/D/YYYY'],
  [dates('1990. 05. 13.', '1991. 02. 01.'), "--date-format 'YYYY. MM. DD.'"],
  [dates('1990年5月13日', '1991年12月1日'), "--date-format 'YYYY年M月D日'"],
  ['Pers.Nr.|Geschl\n001|M\n', '--map Pers.Nr.=external_user_id --map Geschl=sex'],
  [dates('13/05/1990', 'unknown', '12/05/1990'), '--date-format DD/MM/YYYY --values birth_date:unknown='],
  ['external_user_id;Geslacht\nA1;NULL\nA2;V\nA3;M\n', '--map Geslacht=sex --values sex:NULL=,V=F,M=M'],
  ['external_user_id;Geslacht (m/v)\nA1;V\n', "--map 'Geslacht (m/v)=sex' --values sex:V=F"],
  // All texts are accepted values, but have another meaning in the language of the column name.
  ['external_user_id;Lytis\nA1;M\nA2;M\n', '--map Lytis=sex --values sex:M=F'],
  ['external_user_id;Nem\nA1;F\n', '--map Nem=sex --values sex:F=M'],
  ['external_user_id;Lytis\nA1;V\nA2;M\n', '--map Lytis=sex --values sex:V=M,M=F'],
  ['external_user_id;Sexo\nA1;V\nA2;M\n', '--map Sexo=sex --values sex:V=M,M=F'],
  ['external_user_id;Geslacht\nA1;Woman\nA2;Man\n', '--map Geslacht=sex --values sex:Woman=F,Man=M'],
  ['external_user_id;sex\nA1;F\nA2;M\nA3;N\n', '--values sex:F=F,M=M,N='],
  ['external_user_id;sex\nA1;M\nA2;NA\nA3;M\n', '--values sex:M=M,NA='],
  ['external_user_id;language\nA1;en\nA2;-\nA3;nl\n', '--values language:en=en,-=,nl=nl'],
  ['external_user_id;Sukupuoli\nA1;mies\nA2;nainen\n', '--map Sukupuoli=sex --values sex:mies=M,nainen=F'],
  ['external_user_id;Kjønn\nA1;mann\nA2;kvinne\n', "--map 'Kjønn=sex' --values sex:mann=M,kvinne=F"],
  ['external_user_id^sex\nA1^M\nA2^F\n', "--delimiter '^'"],
  [
    'EmpID;Geslacht (m/v)\nA1;Vrouwelijk\nA2;Mannelijk\n',
    "--map EmpID=external_user_id --map 'Geslacht (m/v)=sex' --values sex:Vrouwelijk=F,Mannelijk=M",
  ],
  ['external_user_id;Nem\nA1;N\nA2;F\n', '--map Nem=sex --values sex:N=F,F=M'],
  ['external_user_id;sex\nA1;S\nA2;V\n', '--values sex:S=F,V=M'],
  ['external_user_id;Cinsiyet\nA1;KADIN\nA2;ERKEK\n', '--map Cinsiyet=sex --values sex:KADIN=F,ERKEK=M'],
  ['external_user_id;sex\nA1;ΓΥΝΑΙΚΑ\nA2;ΑΝΔΡΑΣ\n', "--values 'sex:ΓΥΝΑΙΚΑ=F,ΑΝΔΡΑΣ=M'"],
  ['external_user_id;sex\nA1;انثى\nA2;ذكر\n', "--values 'sex:انثى=F,ذكر=M'"],
  [dates('20010203', '20020103'), '--date-format YYYYMMDD'],
  [
    'รหัสพนักงาน,วันเกิด,เพศ\nA1,13/03/1980,หญิง\nA2,03/02/2001,ชาย\n',
    "--map 'รหัสพนักงาน=external_user_id' --map 'วันเกิด=birth_date' --map 'เพศ=sex' --date-format DD/MM/YYYY --values 'sex:หญิง=F,ชาย=M'",
  ],
  [
    'कर्मचारी आईडी,जन्म तिथि,लिंग\nA1,13-03-1980,महिला\nA2,03-02-2001,पुरुष\n',
    "--map 'कर्मचारी आईडी=external_user_id' --map 'जन्म तिथि=birth_date' --map 'लिंग=sex' --date-format DD-MM-YYYY --values 'sex:महिला=F,पुरुष=M'",
  ],
  [
    'Табельний номер;Дата народження;Стать\nA1;13.03.1980;жіноча\nA2;03.02.2001;чоловіча\n',
    "--map 'Табельний номер=external_user_id' --map 'Дата народження=birth_date' --map 'Стать=sex' --date-format DD.MM.YYYY --values 'sex:жіноча=F,чоловіча=M'",
  ],
  [
    'პირადი ნომერი,დაბადების თარიღი,სქესი\nA1,13.03.1980,ქალი\nA2,03.02.2001,კაცი\n',
    "--map 'პირადი ნომერი=external_user_id' --map 'დაბადების თარიღი=birth_date' --map 'სქესი=sex' --date-format DD.MM.YYYY --values 'sex:ქალი=F,კაცი=M'",
  ],
  [
    'Աշխատակցի համար,Ծննդյան ամսաթիվ,Սեռ\nA1,13.03.1980,Իգական\nA2,03.02.2001,Արական\n',
    "--map 'Աշխատակցի համար=external_user_id' --map 'Ծննդյան ամսաթիվ=birth_date' --map 'Սեռ=sex' --date-format DD.MM.YYYY --values 'sex:Իգական=F,Արական=M'",
  ],
  // A file of a survey program, with labels below the header. Two columns may contain the users, so no flag is suggested for them.
  [
    'Respondent ID,Gender,Employee ID\n,Response,Open-Ended Response\n118700001,M,7\n118700002,F,8\n',
    "--map Gender=sex --ignore-columns 'Employee ID'",
  ],
  [
    'Employee ID,Gender\nOpen-Ended Response,Response\n7,M\n8,F\n',
    "--map 'Employee ID=external_user_id' --map Gender=sex",
  ],
  // The first column contains only row numbers, so it is not suggested as the column of users.
  ['No.,Name,Sex\n1,Ann B,F\n2,Bo C,M\n3,Cy D,F\n', ''],
  ['No.,Name,Sex\n1,Ann B,F\n3,Bo C,M\n', '--map No.=external_user_id'],
  [
    'Codice dipendente;Data di nascita;Genere\n7;13/03/1980;Donna\n8;03/02/2001;Uomo\n',
    "--map 'Codice dipendente=external_user_id' --map 'Data di nascita=birth_date' --map Genere=sex --date-format DD/MM/YYYY --values sex:Donna=F,Uomo=M",
  ],
  [
    'N° salarié;Né(e) le\n7;13/03/1980\n',
    "--map 'N° salarié=external_user_id' --map 'Né(e) le=birth_date' --date-format DD/MM/YYYY",
  ],
  [dates('13/03/2523', '03/02/2544'), ''],
  [dates('1358/12/22', '1379/11/15'), ''],
  ['__proto__;sex\nA1;M\nA2;F\n', '--map __proto__=external_user_id'],
  ['Dept;EmpID\nD1;7\nD2;8\n', '--map EmpID=external_user_id'],
  ['Kode;Ansattnr\nD1;7\nD2;8\n', '--map Ansattnr=external_user_id'],
  ['Код;Табельный номер\nD1;7\nD2;8\n', "--map 'Табельный номер=external_user_id'"],
  ['\u200fالرقم\u200f;sex\n7;M\n8;F\n', "--map 'الرقم=external_user_id'"],
  ['external_user_id;birth_date\nA1;NaT\nA2;1984-02-29\n', '--values birth_date:NaT='],
  [
    'Export;23-11-2026\nPers.Nr.;Name;Geschl;Ort\n001;x y;M;z\n',
    '--header-line 2 --map Pers.Nr.=external_user_id --map Geschl=sex',
  ],
  ['-----\n|Pers.Nr.|Sex|\n-----\n|001|M|\n', '--map Pers.Nr.=external_user_id'],
  [
    'Numer pracownika;Data urodzenia;Płeć\nA1;13.05.1990;K\nA2;14.05.1990;M\n',
    "--map 'Numer pracownika=external_user_id' --map 'Data urodzenia=birth_date' --map 'Płeć=sex' --date-format DD.MM.YYYY --values sex:K=F,M=M",
  ],
  [
    'Dátum;Kód;Nem\n1984.02.29.;A1;férfi\n1990.05.13.;A2;nő\n',
    "--map 'Kód=external_user_id' --map Nem=sex --values 'sex:férfi=M,nő=F'",
  ],
  ['Dátum;Nem\n1984.02.29.;M\n1990.05.13.;F\n', ''],
  // The suggested flags leave out columns with an unclear meaning, such as Datum and ID. A prompt asks for their meaning.
  ['external_user_id,value\nA1,3\nA2,4\n', '--ignore-columns value'],
  ['external_user_id;Datum;x\nA1;13.05.1990;1\n', '--ignore-columns x'],
  ['ID;Employee ID;Gender\n1;E1;M\n', '--map Gender=sex'],
  [dates('30-02-1984', '13-05-1990', '1-1-1991'), '--date-format D-M-YYYY'],
  [
    'Employee No.;Date of Birth (DD/MM/YYYY)\nA1;13/05/1990\n',
    "--map 'Employee No.=external_user_id' --map 'Date of Birth (DD/MM/YYYY)=birth_date' --date-format DD/MM/YYYY",
  ],
  [
    '社員番号,生年月日\nA1,1990年5月13日\n',
    "--map '社員番号=external_user_id' --map '生年月日=birth_date' --date-format 'YYYY年M月D日'",
  ],
])('the error for a list of users suggests the flags that are needed to read it: %j', async (text, flags) => {
  await expect(usersOf(text)).rejects.toMatchObject({ exitCode: 2, flags })
})

/** Converts a table to JSON lines. The cells must not contain quotes. */
function asJson(text: string): string {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(';'))
  return rows
    .map((row) => `${JSON.stringify(Object.fromEntries(header.map((name, at) => [name, row[at]])))}\n`)
    .join('')
}

test.each([
  'Personalnummer;Name;Geburtsdatum;Geschlecht\nA1;x;14.03.1985;w\nA2;y;25.12.1990;m\n',
  'external_user_id;sex\nA1;M\nA2;H\n',
  'external_user_id;sex\nA1;v\nA2;m\n',
  'external_user_id;birth_date;sex\nA1;1985-03-14;NULL\nA2;NULL;M\n',
  'external_user_id;birth_date\nA1;3/4/1985\nA2;5/6/1990\n',
  'external_user_id;sheets\nA1;3\nA2;4\n',
])('an unclear list causes the same error in both formats, table and JSON lines: %j', async (text) => {
  const asked = (content: string, name: string) =>
    usersOf(content, name).catch(({ message, flags }: UnclearFile) => [message.replace(name, ''), flags])
  const expected = await asked(text, 'staff.csv')
  expect(expected[0]).toContain('cannot be read')
  expect(await asked(asJson(text), 'staff.jsonl')).toEqual(expected)
})

test.each([
  ['Nr pracownika;Data urodzenia;Płeć', 'windows-1250', '--encoding windows-1250'],
  ['Sicil No;Doğum Tarihi;Cinsiyet', 'windows-1254', '--encoding windows-1254'],
  ['Табельный номер;Имя;Пол', 'windows-1251', '--encoding windows-1251'],
  ['external_user_id;Όνομα;Φύλο', 'windows-1253', '--encoding windows-1253'],
  ['رقم الموظف;الاسم;الجنس', 'windows-1256', '--encoding windows-1256'],
  ['מספר עובד;שם;מין', 'windows-1255', '--encoding windows-1255'],
  ['รหัสพนักงาน;ชื่อ;เพศ', 'windows-874', '--encoding windows-874'],
  ['Табельный номер;ФИО;Пол', 'ibm866', '--encoding ibm866'],
  ['Табельный номер;ФИО;Пол', 'koi8-r', '--encoding koi8-r'],
  ['external_user_id;Imię;x', 'windows-1250', ''],
  [
    'external_user_id;x;Fødselsdato',
    'windows-1252',
    "--encoding windows-1252 --map 'Fødselsdato=birth_date'",
  ],
])(
  'the error for a list with the columns %s in %s suggests the flags "%s"',
  async (names, encoding, flags) => {
    const text = encoded(`${names}\nA1;x;1990-05-13\n`, encoding)
    await expect(usersOf(text)).rejects.toMatchObject({ exitCode: 2, flags })
  },
)

test.each([
  ['Törzsszám;x\nKovács;1\nŐri;2\n', ''],
  ['Törzsszám;nem\nA1;férfi\nA2;nő\n', '--encoding windows-1250'],
  ['external_user_id;Płeć\nA1;1\nA2;2\n', '--encoding windows-1250'],
])('the error for the windows-1250 file %j suggests the flag "%s"', async (text, flags) => {
  await expect(usersOf(encoded(text, 'windows-1250'))).rejects.toMatchObject({ flags })
})

test('the text "constructor" is not read as a date', async () => {
  const reading = { dateFormat: 'DD-MM-YYYY' }
  expect(
    await usersOf(
      'external_user_id;birth_date\nA1;constructor\nA2;13-05-1990\nA3;13-05-1990\n',
      'staff.csv',
      reading,
    ),
  ).toEqual(['2 A1', '3 A2 1990-05-13', '4 A3 1990-05-13'])
})

test('--map finds a column whose name contains invisible characters that the error does not show', async () => {
  const reading = { map: { 'Staff number': 'external_user_id' } }
  expect(await usersOf('\u200fStaff\u202e number\u200f;sex\nA1;M\n', 'staff.csv', reading)).toEqual([
    '2 A1 M',
  ])
})

test.each([
  ['external_user_id;sex\nA1;m\nA2;w\nA3;d\n', 'sex:m=M,w=F,d=VALUE'],
  ['external_user_id;sex\nA1;H\nA2;M\nA3;X\n', 'sex:H=M,M=F,X=VALUE'],
  ['external_user_id;sex\nA1;homme\nA2;female\n', 'sex:homme=VALUE,female=F'],
  // Letters that mean "female" in one language and "male" in another: Dutch and Lithuanian, Hungarian and English, Finnish and English,
  // Romanian and Irish.
  ['external_user_id;sex\nA1;V\nA2;M\n', 'sex:V=VALUE,M=VALUE'],
  ['external_user_id;sex\nA1;N\nA2;F\n', 'sex:N=VALUE,F=VALUE'],
  ['external_user_id;sex\nA1;N\nA2;M\n', 'sex:N=VALUE,M=M'],
  ['external_user_id;sex\nA1;F\nA2;B\n', 'sex:F=VALUE,B=VALUE'],
  // K means female in Danish and male in Azerbaijani. E means male in Turkish and female in Basque.
  ['external_user_id;sex\nA1;K\n', 'sex:K=VALUE'],
  ['external_user_id;sex\nA1;E\nA2;G\n', 'sex:E=VALUE,G=VALUE'],
  ['external_user_id;language\nA1;nl-NL\nA2;Deutsch\n', 'language:nl-NL=nl,Deutsch=VALUE'],
])('the error for an unknown value suggests how to read the other values: %j', async (text, values) => {
  await expect(usersOf(text)).rejects.toMatchObject({
    flags: '',
    message: expect.stringContaining(`--values '${values}'`),
  })
})

test.each([
  ['1E5', '1e21', '7E+3'],
  ['Media', 'Antal', 'Mediana:', 'Minimum', 'Maximum', 'Median 4', 'Snitt', 'Moyenne'],
  ['Jos+AOk-', 'J+APw-rgen'],
  // ISO 8859-7 and Big5 that were read in a similar encoding.
  ['¶ννα', '\uf6b1'],
])(
  'in a list of users, an ID is refused if it is probably damaged, a total, or text in UTF-7: %s',
  async (...ids) => {
    const found = ids.map((_, at) => `${at + 2} user_damaged`)
    expect(await usersOf(['external_user_id', ...ids, ''].join('\n'))).toEqual(found)
  },
)

test('a list of users accepts an ID that looks like UTF-7 text, a row of totals, or a number with an exponent', async () => {
  const ids = ['12e5', '1E5A', '0e1', 'e5', 'MIN12', 'Maxim', 'Max', 'Min', '+31-6', '+316-1', 'A+B-1']
  const found = ids.map((id, at) => `${at + 2} ${id}`)
  expect(await usersOf(['external_user_id', ...ids, ''].join('\n'))).toEqual(found)
})

test.each([['Vidurkis'], ['Min', 'Max'], ['ჯამი', '計'], ['Note: confidential'], ['Printed on 2026-01-31']])(
  'a list of users asks about the text %s below IDs with digits, and accepts it with --ids keep',
  async (...texts) => {
    const rows = ['external_user_id,sex', 'A1,M', 'A2222,F', '303,F', ...texts.map((text) => `${text},`), '']
    const listed = texts.map((text, at) => `"${text}" (line ${at + 5})`).join(', ')
    await expect(usersOf(rows.join('\n'))).rejects.toThrow(
      `all other user IDs contain digits and no spaces, so ${listed} may be a total or a note. Delete the row, or use --ids keep if it is a user ID`,
    )
    const found = await usersOf(rows.join('\n'), 'staff.csv', { ids: 'keep' })
    expect(found).toHaveLength(3 + texts.length)
    await expect(usersOf(rows.join('\n'), 'staff.csv', {}, 'list')).resolves.toHaveLength(3 + texts.length)
  },
)

test.each([
  ['two IDs with digits', ['A1', 'A2', 'Ann']],
  ['several IDs without digits', ['A1', 'A2', 'A3', 'Ann', 'Bo', 'Cy']],
  ['a random ID of the same length', ['a1bc', 'de2f', '3ghi', 'jklm']],
])('a list of users with %s is accepted', async (_, ids) => {
  expect(await usersOf(['external_user_id', ...ids, ''].join('\n'))).toHaveLength(ids.length)
})

test('a column of one-letter values is not read as the sex if, in the language of its name, the letter can mean a woman', async () => {
  const reading = { map: { Sexo: 'sex' } }
  await expect(usersOf('external_user_id;Sexo\nA1;M\n', 'staff.csv', reading)).rejects.toThrow(
    /column "Sexo" can have another meaning in the language of the column name: "M" \(1 row\).*sex:M=VALUE'/,
  )
  expect(await usersOf('external_user_id;Sexo\nA1;M\nA2;F\n', 'staff.csv', reading)).toEqual([
    '2 A1 M',
    '3 A2 F',
  ])
})

test('dates and other values in JSON lines are converted in the same way as in a table', async () => {
  const text = 'external_user_id;birth_date;sex;city\nA1;14.03.1985;M;x\nA2;25.12.1990;H;y\n'
  const reading = { dateFormat: 'DD.MM.YYYY', values: { sex: { M: 'F', H: 'M' } } }
  const users = ['1 A1 1985-03-14 F', '2 A2 1990-12-25 M']
  expect(await usersOf(asJson(text), 'staff.jsonl', reading)).toEqual(users)
})

test('the hint for a file that must be corrected shows flags, but no command to run', async () => {
  const unclear = usersOf('external_user_id;Geburtsdatum\nA1;29-02-84\n')
  const error: unknown = await unclear.catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(UnclearFile)
  const { details } = (error as UnclearFile).withCommand('facescan users import staff.csv')
  expect(details.hint).toBe(
    'Correct the file first. The flags for the other problems are: --map Geburtsdatum=birth_date',
  )
})

/** The prompts for an unreadable list of users: each label with the names of its choices. */
async function promptsFor(text: string): Promise<{ isAnswerable: boolean; prompts: string[] }> {
  const error: unknown = await usersOf(text).catch((cause: unknown) => cause)
  if (!(error instanceof UnclearFile)) throw new Error('the file can be read')
  const prompts = error.questions.flatMap(({ prompts = [] }) => prompts)
  const lines = prompts.map(
    ({ label, choices }) => `${label}: ${choices.map(({ name }) => name).join(' | ')}`,
  )
  return { isAnswerable: error.isAnswerable, prompts: lines }
}

test('the prompts for a list offer each possible date format and each accepted value', async () => {
  const rows = ['A1;01/02/1990;x', 'A2;03/04/1991;F', 'A3;NULL;m', 'A4;03/04/1991; x', 'A5;;']
  expect(await promptsFor(`external_user_id;birth_date;sex\n${rows.join('\n')}\n`)).toEqual({
    isAnswerable: true,
    prompts: [
      'birth_date "NULL" is: no date',
      'Date format in birth_date: 01/02/1990 is 1990-02-01 | 01/02/1990 is 1990-01-02',
      'Meaning of "x" in column "sex" (2 rows): no value | F | M',
      'Meaning of "F" in column "sex" (1 row): F | M | no value',
      'Meaning of "m" in column "sex" (1 row): M | F | no value',
    ],
  })
})

test.each([
  [20, true, 20],
  [21, false, 0],
])(
  'if a column has %i unknown values, prompts are possible: %s (number of prompts: %i)',
  async (count, isAnswerable, prompts) => {
    const rows = Array.from({ length: count }, (_, n) => `A${n};x${n}`)
    const found = await promptsFor(`external_user_id;sex\n${rows.join('\n')}\n`)
    expect(found.isAnswerable).toBe(isAnswerable)
    expect(found.prompts).toHaveLength(prompts)
  },
)

test.each([
  [
    ['000101', '000102', '000103', '000103', '104', '000105'],
    'most user IDs have 6 digits, such as 000101, 000102, 000103, but 1 is shorter, such as 104',
    ['The user ID 104 is: 000104 without its leading zeros | 104, as it is written'],
  ],
  [
    ['0101', '0102', '0103', '0104', '0105', '0106', '2', '12', '013', '13', '14'],
    'most user IDs have 4 digits, such as 0101, 0102, 0103, but 4 are shorter, such as 2, 12, 13',
    ['The user ID 2 is: 0002 without its leading zeros | 2, as it is written'],
  ],
])(
  'if some of the user IDs %j have lost their leading zeros, prompts ask how to read the file',
  async (ids, problem, prompts) => {
    const text = `external_user_id\n${ids.join('\n')}\n`
    await expect(usersOf(text)).rejects.toThrow(problem)
    expect((await promptsFor(text)).prompts).toEqual(prompts)
  },
)

test.each([
  ['no ID starts with 0', ['101', '102', '103', '4']],
  ['only half of the IDs have the same length', ['0101', '0102', '3', '4']],
  ['all shorter IDs start with 0', ['0101', '0102', '0103', '04']],
  ['longer IDs do not start with 0', ['0101', '0102', '0103', '10104']],
  ['the other IDs are not numbers', ['0101', '0102', '0103', 'a4', '/5', ':6']],
])('the user IDs of a file are not reported as shortened if %s', async (_, ids) => {
  const users = await usersOf(`external_user_id\n${ids.join('\n')}\n`)
  expect(users.map((user) => user.split(' ')[1])).toEqual(ids)
})

test.each(['1234567890', '12345-67-8', '1234-567-9', '2026-0a-01', '2026-0/-01'])(
  'a column of dates is refused if it contains the text %s, which is as long as a date',
  async (text) => {
    await expect(usersOf(dates(text))).rejects.toThrow(`has values that are not dates, such as "${text}"`)
  },
)

test.each([
  [dates('13. Mai 1990', '1. Februar 1991'), 'has values that are not dates, such as "13. Mai 1990"'],
  [dates('13/03/1984', '05/16/1990'), 'in several formats, such as 13/03/1984 and 05/16/1990'],
  [dates('5/3/1984', '13-05-1990'), 'in several formats, such as 5/3/1984 and 13-05-1990'],
  [dates('29-02-84'), 'two-digit year, such as 29-02-84'],
  ["'external_user_id','sex'\n'A1','M'\n", 'enclosed in single quotes'],
  ['external_user_id  sex\nA1                M\n', 'fixed-width columns'],
  ['A1;M\nA2;F\n', 'the first line contains data instead of a header'],
  ['"external_user_id,sex"\n"A1,M"\n', 'quotation marks enclose each complete line'],
  ['<html><table><tr><td>A1</td></tr></table></html>', 'is an HTML or XML file'],
  ['TABLE\n0,1\n"EXCEL"\n', 'is a DIF file'],
  ['%PDF-1.4\n1 0 obj\n', 'is a PDF file'],
  [' \n  \n', 'is empty'],
  ['external_user_id,sex,sex,sex\nA1,M,M,M\n', 'the header has sex twice'],
  ['[]', 'is a JSON array'],
  ['{\n  "external_user_id": "A1"\n}\n', 'contains a JSON object that spans several lines'],
])('a command refuses a list of users and states the problem: %j', async (text, message) => {
  await expect(usersOf(text)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
  })
})

test.each([
  'Employee ID,x\nKEY,b\n',
  'KEY,x\nA 1,b\n',
  'Employee ID,Customer ID\nKEY,b\n',
  'Department of people;KEY,B\nx;1,2\n',
])(
  'if a file is unclear and contains an API key, the questions about the file show no part of the key: %j',
  async (text) => {
    const key = 'abcdefghij0123456789ABCDEFGHIJ9876543210'
    const error: unknown = await usersOf(text.replace('KEY', key)).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(UnclearFile)
    const { questions } = error as UnclearFile
    const shown = questions.flatMap(({ problem, prompts = [] }) => [
      problem,
      ...prompts.flatMap(({ label, choices }) => [label, ...choices.map(({ name }) => name)]),
    ])
    expect(shown.join('\n')).not.toContain(key.slice(0, 20))
  },
)

test('a row whose lines look like several rows is invalid, but with --ids exact it is read', async () => {
  const text = 'external_user_id,address,sex\nA1,"Flat 1, B,\r\nC3, Delft",M\nA2,"x\ny",F'
  expect(await usersOf(text)).toEqual(['2 stray_quote', '4 A2 F'])
  expect(await usersOf(text, 'staff.csv', { ids: 'exact' })).toEqual(['2 A1 M', '4 A2 F'])
})

test('a note whose second line starts with a number that is shorter than the user IDs is not read as a second row', async () => {
  const text = 'external_user_id,note\n4711,"Weight:\n61, measured at home"\n4712,"Flat 3\n12, High Street"'
  expect(await usersOf(text)).toEqual(['2 4711', '4 4712'])
})
