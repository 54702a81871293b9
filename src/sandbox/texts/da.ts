import { texts as pages } from '../pages/texts/da.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'Der er endnu for få ansigtsscanninger til at sige noget om din fysiske form.',
        tip: 'Tag en scanning på tre forskellige dage i et roligt øjeblik, så tegner billedet sig selv.',
      },
      suboptimal: {
        feedback: 'Din krop beder om lidt opmærksomhed: dine fysiske tal ligger under dem, der ligner dig.',
        tip: 'Begynd med ti minutters rask gang om dagen. Lidt og tit er bedre end meget og sjældent.',
      },
      average: {
        feedback: 'Fysisk er du der, hvor de fleste på din alder er, og det er et godt udgangspunkt.',
        tip: 'Vælg en dag i denne uge, hvor du bevæger dig lidt længere end ellers, og mærk efter.',
      },
      optimal: {
        feedback: 'Du er i god fysisk form: dine tal ligger over dem, der ligner dig.',
        tip: 'Hold fast i de vaner, der bragte dig hertil, og varier dem, så de bliver ved med at være sjove.',
      },
    },
    mental: {
      unknown: {
        feedback: 'Der er endnu for få ansigtsscanninger til at sige noget om, hvordan du har det indeni.',
        tip: 'To scanninger er nok til et første indtryk. Sæt dig ned, træk vejret roligt, og giv det et minut.',
      },
      suboptimal: {
        feedback: 'Dine scanninger tyder på, at dit sind har haft meget at bære på det seneste.',
        tip: 'Planlæg en kort pause i dag, hvor ingen har brug for dig, og ånd langsomt ud i nogle minutter.',
      },
      average: {
        feedback: 'Spænding og ro er nogenlunde i balance, som hos de fleste.',
        tip: 'Skriv ned, hvad der gav dig energi i dag. At gøre en af tingene igen i morgen er en god plan.',
      },
      optimal: {
        feedback: 'Du ser ud til at håndtere spænding godt og komme dig let igen.',
        tip: 'Pas på de stunder, der giver dig ro, også i en travl uge.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback: 'Der er endnu for få ansigtsscanninger til at sige noget om din energi og søvn.',
        tip: 'Tag en scanning nogle morgener i træk, og svar på spørgsmålene om dine nætter.',
      },
      suboptimal: {
        feedback: 'Din energi og søvn ligger under det, der er normalt for folk, der ligner dig.',
        tip: 'Gå i seng på samme tid en hel uge, og lad telefonen ligge i et andet rum.',
      },
      average: {
        feedback: 'Din energi og søvn er omkring middel: gode og mindre gode nætter opvejer hinanden.',
        tip: 'Kom ud i dagslyset før middag. Så er det lettere at falde i søvn om aftenen.',
      },
      optimal: {
        feedback: 'Du sover godt og har energi til overs.',
        tip: 'Din rytme virker. Hold den også i weekenden, så kan du mærke forskellen om mandagen.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'En gåtur hver dag',
      description: 'En halv time til fods, på én gang eller i tre bidder, gør godt for hjerte og hoved.',
      action_text: 'Planlæg min tur',
    },
    strength_twice_a_week: {
      title: 'Styrke to gange om ugen',
      description: 'Knæbøjninger, armbøjninger mod væggen, indkøbsposer: muskler vil bruges.',
      action_text: 'Vis øvelser',
    },
    regular_bedtime: {
      title: 'Samme sengetid',
      description: 'En krop, der ved, hvornår natten begynder, falder hurtigere i søvn og vågner friskere.',
      action_text: 'Vælg en sengetid',
    },
    dim_the_evening: {
      title: 'Dæmp aftenen',
      description: 'Skru ned for lyset, og læg skærmene væk en time før du skal sove.',
      action_text: 'Lav et aftenritual',
    },
    slow_breathing: {
      title: 'Træk vejret langsomt',
      description: 'Fem minutters rolig vejrtrækning, længere ud end ind, hjælper med at slippe spændinger.',
      action_text: 'Start øvelsen',
    },
    short_breaks: {
      title: 'Korte pauser, der tæller',
      description: 'Rejs dig hver time, kig ud ad vinduet, og lad skuldrene synke.',
      action_text: 'Mind mig om det',
    },
    talk_with_someone: {
      title: 'Del det, der fylder',
      description: 'En snak med en, du stoler på, gør bekymringer mindre. Den behøver ikke være lang.',
      action_text: 'Sådan kommer du i gang',
    },
    good_moments: {
      title: 'Tre gode øjeblikke',
      description: 'Skriv tre ting ned, der gik godt i dag, hvor små de end er. Gør det i en uge.',
      action_text: 'Åbn min dagbog',
    },
    less_salt: {
      title: 'Krydr med mindre salt',
      description: 'Urter, citron og peber giver også smag. Der er mest salt i brød og færdigretter.',
      action_text: 'Se opskrifter',
    },
    measure_at_rest: {
      title: 'Scan i hvile',
      description: 'Sid fem minutter før en scanning, uden kaffe og trapper, så dagene kan sammenlignes.',
      action_text: 'Sådan scanner du',
    },
    regular_meals: {
      title: 'Spis på faste tider',
      description: 'Tre måltider på faste tidspunkter holder energien jævn hele dagen.',
      action_text: 'Planlæg mine måltider',
    },
    daylight_early: {
      title: 'Dagslys om morgenen',
      description: 'Et kvarter udenfor tidligt på dagen vækker dig bedre end den anden kop kaffe.',
      action_text: 'Gå udenfor',
    },
  },
}
