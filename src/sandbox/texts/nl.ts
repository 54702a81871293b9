import { texts as pages } from '../pages/texts/nl.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'Er zijn nog te weinig gezichtsscans om iets over je lichamelijke conditie te zeggen.',
        tip: 'Scan op drie verschillende dagen op een rustig moment, dan vult dit beeld zich vanzelf.',
      },
      suboptimal: {
        feedback:
          'Je lichaam vraagt wat aandacht: je lichamelijke scores liggen onder die van mensen zoals jij.',
        tip: 'Begin met tien minuten stevig wandelen per dag. Klein en vaak werkt beter dan veel en zelden.',
      },
      average: {
        feedback:
          'Lichamelijk sta je waar de meeste mensen van jouw leeftijd staan, en dat is een goede basis.',
        tip: 'Kies deze week één dag om wat langer te bewegen dan anders en merk hoe dat voelt.',
      },
      optimal: {
        feedback: 'Je bent lichamelijk in vorm: je scores liggen boven die van mensen zoals jij.',
        tip: 'Houd de gewoontes vast die je hier brachten en wissel ze af, zodat ze leuk blijven.',
      },
    },
    mental: {
      unknown: {
        feedback: 'Er zijn nog te weinig gezichtsscans om iets te zeggen over hoe het in je hoofd gaat.',
        tip: 'Twee scans zijn genoeg voor een eerste indruk. Ga zitten, adem rustig en neem er een minuut voor.',
      },
      suboptimal: {
        feedback: 'Je scans wijzen erop dat je hoofd de laatste tijd veel te dragen had.',
        tip: 'Plan vandaag één korte pauze waarin niemand je nodig heeft en adem een paar minuten langzaam uit.',
      },
      average: {
        feedback: 'Spanning en rust zijn ongeveer in balans, zoals bij de meeste mensen.',
        tip: 'Schrijf op wat je vandaag energie gaf. Eén daarvan morgen weer doen is een goed plan.',
      },
      optimal: {
        feedback: 'Je lijkt goed met spanning om te gaan en makkelijk te herstellen.',
        tip: 'Bescherm de momenten die je rust geven, ook in een drukke week.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback: 'Er zijn nog te weinig gezichtsscans om iets over je energie en slaap te zeggen.',
        tip: 'Scan een paar ochtenden achter elkaar en beantwoord de vragen over je nachten.',
      },
      suboptimal: {
        feedback: 'Je energie en slaap liggen lager dan gebruikelijk is voor mensen zoals jij.',
        tip: 'Ga een week lang op dezelfde tijd naar bed en laat je telefoon in een andere kamer.',
      },
      average: {
        feedback: 'Je energie en slaap zijn gemiddeld: goede en mindere nachten houden elkaar in evenwicht.',
        tip: 'Ga voor de middag even het daglicht in. ’s Avonds val je dan makkelijker in slaap.',
      },
      optimal: {
        feedback: 'Je slaapt goed en hebt energie over.',
        tip: 'Je ritme werkt. Houd het ook in het weekend aan, dan merk je het verschil op maandag.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'Elke dag een wandeling',
      description: 'Een half uur te voet, in één keer of in drie stukken, doet je hart en je hoofd goed.',
      action_text: 'Plan mijn wandeling',
    },
    strength_twice_a_week: {
      title: 'Twee keer per week kracht',
      description:
        'Kniebuigingen, opdrukken tegen de muur, boodschappen dragen: spieren willen gebruikt worden.',
      action_text: 'Toon oefeningen',
    },
    regular_bedtime: {
      title: 'Een vaste bedtijd',
      description: 'Een lichaam dat weet wanneer de nacht begint, slaapt sneller in en wordt frisser wakker.',
      action_text: 'Kies een bedtijd',
    },
    dim_the_evening: {
      title: 'Dim de avond',
      description: 'Zet een uur voor het slapen de lampen lager en leg schermen weg.',
      action_text: 'Maak een avondritueel',
    },
    slow_breathing: {
      title: 'Adem langzaam',
      description: 'Vijf minuten rustig ademen, langer uit dan in, helpt om spanning los te laten.',
      action_text: 'Start de oefening',
    },
    short_breaks: {
      title: 'Korte pauzes die tellen',
      description: 'Sta elk uur op, kijk uit het raam en laat je schouders zakken.',
      action_text: 'Herinner mij',
    },
    talk_with_someone: {
      title: 'Deel wat je bezighoudt',
      description:
        'Een gesprek met iemand die je vertrouwt maakt zorgen kleiner. Het hoeft niet lang te duren.',
      action_text: 'Zo begin je erover',
    },
    good_moments: {
      title: 'Drie goede momenten',
      description: 'Schrijf drie dingen op die vandaag goed gingen, hoe klein ook. Doe dat een week lang.',
      action_text: 'Open mijn dagboek',
    },
    less_salt: {
      title: 'Kruid met minder zout',
      description:
        'Kruiden, citroen en peper geven ook smaak. In brood en kant-en-klaarmaaltijden zit het meeste zout.',
      action_text: 'Bekijk recepten',
    },
    measure_at_rest: {
      title: 'Scan in rust',
      description:
        'Zit vijf minuten stil voor een scan, zonder koffie of trappen, zodat dagen te vergelijken zijn.',
      action_text: 'Zo scan je',
    },
    regular_meals: {
      title: 'Eet op vaste tijden',
      description: 'Drie maaltijden op vaste momenten houden je energie de hele dag gelijkmatig.',
      action_text: 'Plan mijn maaltijden',
    },
    daylight_early: {
      title: 'Daglicht in de ochtend',
      description: 'Een kwartier buiten, vroeg op de dag, maakt je wakkerder dan een tweede kop koffie.',
      action_text: 'Ga naar buiten',
    },
  },
}
