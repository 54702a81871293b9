import { texts as pages } from '../pages/texts/fr.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'Il n’y a pas encore assez de scans du visage pour parler de votre forme physique.',
        tip: 'Faites un scan trois jours différents, à un moment calme, et ce tableau se remplira de lui-même.',
      },
      suboptimal: {
        feedback:
          'Votre corps réclame un peu d’attention : vos scores sont inférieurs à ceux de personnes semblables.',
        tip: 'Commencez par dix minutes de marche rapide par jour. Peu mais souvent vaut mieux que beaucoup mais rarement.',
      },
      average: {
        feedback: 'Physiquement, vous en êtes où en sont la plupart des gens de votre âge : une base solide.',
        tip: 'Choisissez un jour cette semaine pour bouger un peu plus longtemps et observez ce que cela change.',
      },
      optimal: {
        feedback: 'Vous êtes en bonne forme physique : vos scores dépassent ceux de personnes semblables.',
        tip: 'Gardez les habitudes qui vous ont mené ici, et variez-les pour qu’elles restent un plaisir.',
      },
    },
    mental: {
      unknown: {
        feedback: 'Il n’y a pas encore assez de scans du visage pour parler de votre bien-être mental.',
        tip: 'Deux scans suffisent pour une première impression. Asseyez-vous, respirez calmement, prenez une minute.',
      },
      suboptimal: {
        feedback: 'Vos scans laissent penser que votre esprit a eu beaucoup à porter ces derniers temps.',
        tip: 'Prévoyez aujourd’hui une courte pause où personne n’a besoin de vous, et expirez lentement quelques minutes.',
      },
      average: {
        feedback: 'Tension et repos s’équilibrent à peu près, comme chez la plupart des gens.',
        tip: 'Notez ce qui vous a donné de l’énergie aujourd’hui, et refaites l’une de ces choses demain.',
      },
      optimal: {
        feedback: 'Vous semblez bien gérer la tension et récupérer facilement.',
        tip: 'Protégez les moments qui vous apaisent, même lors d’une semaine chargée.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback:
          'Il n’y a pas encore assez de scans du visage pour parler de votre énergie et de votre sommeil.',
        tip: 'Faites un scan plusieurs matins de suite et répondez aux questions sur vos nuits.',
      },
      suboptimal: {
        feedback:
          'Votre énergie et votre sommeil sont en dessous de ce qui est habituel pour des personnes semblables.',
        tip: 'Couchez-vous à la même heure pendant une semaine et laissez le téléphone dans une autre pièce.',
      },
      average: {
        feedback:
          'Votre énergie et votre sommeil sont dans la moyenne : bonnes et moins bonnes nuits se compensent.',
        tip: 'Sortez à la lumière du jour avant midi. Le soir, vous vous endormirez plus facilement.',
      },
      optimal: {
        feedback: 'Vous dormez bien et vous avez de l’énergie à revendre.',
        tip: 'Votre rythme fonctionne. Gardez-le aussi le week-end, et le lundi vous en remerciera.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'Une promenade chaque jour',
      description: 'Une demi-heure à pied, d’une traite ou en trois fois, fait du bien au cœur et à la tête.',
      action_text: 'Prévoir ma promenade',
    },
    strength_twice_a_week: {
      title: 'De la force deux fois par semaine',
      description: 'Flexions, pompes contre le mur, sacs de courses : les muscles aiment servir.',
      action_text: 'Voir les exercices',
    },
    regular_bedtime: {
      title: 'La même heure de coucher',
      description: 'Un corps qui sait quand commence la nuit s’endort plus vite et se réveille plus frais.',
      action_text: 'Choisir une heure',
    },
    dim_the_evening: {
      title: 'Tamisez la soirée',
      description: 'Une heure avant de dormir, baissez les lumières et rangez les écrans.',
      action_text: 'Créer un rituel du soir',
    },
    slow_breathing: {
      title: 'Respirez lentement',
      description:
        'Cinq minutes de respiration lente, en expirant plus longtemps, aident à relâcher la tension.',
      action_text: 'Commencer l’exercice',
    },
    short_breaks: {
      title: 'De courtes pauses qui comptent',
      description: 'Levez-vous toutes les heures, regardez par la fenêtre et relâchez les épaules.',
      action_text: 'Me le rappeler',
    },
    talk_with_someone: {
      title: 'Dites ce qui vous préoccupe',
      description:
        'Parler avec une personne de confiance rend les soucis plus petits. Quelques minutes suffisent.',
      action_text: 'Trouver les premiers mots',
    },
    good_moments: {
      title: 'Trois bons moments',
      description:
        'Notez trois choses qui se sont bien passées aujourd’hui, même minuscules, pendant une semaine.',
      action_text: 'Ouvrir mon journal',
    },
    less_salt: {
      title: 'Assaisonnez avec moins de sel',
      description:
        'Herbes, citron et poivre donnent aussi du goût. Pain et plats préparés contiennent le plus de sel.',
      action_text: 'Voir les recettes',
    },
    measure_at_rest: {
      title: 'Scannez au repos',
      description:
        'Restez assis cinq minutes avant le scan, sans café ni escaliers, pour pouvoir comparer les jours.',
      action_text: 'Comment bien scanner',
    },
    regular_meals: {
      title: 'Mangez à heures régulières',
      description: 'Trois repas à heures fixes gardent votre énergie stable toute la journée.',
      action_text: 'Prévoir mes repas',
    },
    daylight_early: {
      title: 'La lumière du matin',
      description: 'Un quart d’heure dehors en début de journée réveille mieux qu’un deuxième café.',
      action_text: 'Prendre l’air',
    },
  },
}
