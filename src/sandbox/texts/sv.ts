import { texts as pages } from '../pages/texts/sv.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'Det finns ännu för få ansiktsskanningar för att säga något om din fysiska form.',
        tip: 'Skanna tre olika dagar i en lugn stund, så fylls bilden i av sig själv.',
      },
      suboptimal: {
        feedback: 'Din kropp ber om lite omsorg: dina fysiska värden ligger under dem hos personer som du.',
        tip: 'Börja med tio minuters rask promenad om dagen. Lite och ofta slår mycket och sällan.',
      },
      average: {
        feedback: 'Fysiskt är du där de flesta i din ålder är, och det är en stabil grund.',
        tip: 'Välj en dag den här veckan då du rör dig lite längre än vanligt och känn efter.',
      },
      optimal: {
        feedback: 'Du är i god fysisk form: dina värden ligger över dem hos personer som du.',
        tip: 'Håll fast vid vanorna som tagit dig hit och variera dem så att de förblir roliga.',
      },
    },
    mental: {
      unknown: {
        feedback: 'Det finns ännu för få ansiktsskanningar för att säga något om hur du mår inombords.',
        tip: 'Två skanningar räcker för ett första intryck. Sätt dig, andas lugnt och ge det en minut.',
      },
      suboptimal: {
        feedback: 'Dina skanningar tyder på att ditt sinne har haft mycket att bära på sistone.',
        tip: 'Planera en kort paus i dag då ingen behöver dig och andas ut långsamt några minuter.',
      },
      average: {
        feedback: 'Spänning och vila är ungefär i balans, som hos de flesta.',
        tip: 'Skriv ner vad som gav dig energi i dag. Att göra en av sakerna igen i morgon är en bra plan.',
      },
      optimal: {
        feedback: 'Du verkar hantera spänning väl och återhämta dig lätt.',
        tip: 'Värna om stunderna som ger dig lugn, även en full vecka.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback: 'Det finns ännu för få ansiktsskanningar för att säga något om din energi och sömn.',
        tip: 'Skanna några morgnar i rad och svara på frågorna om dina nätter.',
      },
      suboptimal: {
        feedback: 'Din energi och sömn ligger under det som är vanligt för personer som du.',
        tip: 'Lägg dig vid samma tid en hel vecka och låt telefonen ligga i ett annat rum.',
      },
      average: {
        feedback: 'Din energi och sömn är ungefär genomsnittliga: bra och sämre nätter väger upp varandra.',
        tip: 'Gå ut i dagsljuset före lunch. Då är det lättare att somna på kvällen.',
      },
      optimal: {
        feedback: 'Du sover gott och har energi över.',
        tip: 'Din rytm fungerar. Behåll den på helgen också, så märker du skillnaden på måndag.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'En promenad varje dag',
      description: 'En halvtimme till fots, på en gång eller i tre delar, gör gott för hjärta och huvud.',
      action_text: 'Planera min promenad',
    },
    strength_twice_a_week: {
      title: 'Styrka två gånger i veckan',
      description: 'Knäböj, armhävningar mot väggen, tunga matkassar: muskler vill användas.',
      action_text: 'Visa övningar',
    },
    regular_bedtime: {
      title: 'Samma läggdags',
      description: 'En kropp som vet när natten börjar somnar snabbare och vaknar piggare.',
      action_text: 'Välj en läggtid',
    },
    dim_the_evening: {
      title: 'Dämpa kvällen',
      description: 'Sänk belysningen och lägg undan skärmarna en timme innan du ska sova.',
      action_text: 'Skapa en kvällsrutin',
    },
    slow_breathing: {
      title: 'Andas långsamt',
      description: 'Fem minuters lugn andning, längre ut än in, hjälper dig att släppa spänningar.',
      action_text: 'Starta övningen',
    },
    short_breaks: {
      title: 'Korta pauser som räknas',
      description: 'Res dig varje timme, titta ut genom fönstret och låt axlarna sjunka.',
      action_text: 'Påminn mig',
    },
    talk_with_someone: {
      title: 'Dela det som tynger',
      description: 'Ett samtal med någon du litar på gör bekymmer mindre. Det behöver inte vara långt.',
      action_text: 'Så kan du börja',
    },
    good_moments: {
      title: 'Tre fina stunder',
      description: 'Skriv ner tre saker som gick bra i dag, hur små de än är. Gör det i en vecka.',
      action_text: 'Öppna min dagbok',
    },
    less_salt: {
      title: 'Krydda med mindre salt',
      description: 'Örter, citron och peppar ger också smak. Mest salt finns i bröd och färdigmat.',
      action_text: 'Se recept',
    },
    measure_at_rest: {
      title: 'Skanna i vila',
      description: 'Sitt fem minuter före en skanning, utan kaffe och trappor, så går dagarna att jämföra.',
      action_text: 'Så skannar du',
    },
    regular_meals: {
      title: 'Ät på bestämda tider',
      description: 'Tre måltider på fasta tider håller energin jämn hela dagen.',
      action_text: 'Planera mina måltider',
    },
    daylight_early: {
      title: 'Dagsljus på morgonen',
      description: 'En kvart utomhus tidigt på dagen piggar upp mer än en andra kopp kaffe.',
      action_text: 'Gå ut',
    },
  },
}
