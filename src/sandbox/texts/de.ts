import { texts as pages } from '../pages/texts/de.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'Es gibt noch zu wenige Gesichtsscans, um etwas über Ihre körperliche Verfassung zu sagen.',
        tip: 'Scannen Sie an drei verschiedenen Tagen in einem ruhigen Moment, dann füllt sich dieses Bild von selbst.',
      },
      suboptimal: {
        feedback:
          'Ihr Körper bittet um Aufmerksamkeit: Ihre Werte liegen unter denen vergleichbarer Menschen.',
        tip: 'Beginnen Sie mit zehn Minuten zügigem Gehen am Tag. Klein und regelmäßig schlägt groß und selten.',
      },
      average: {
        feedback:
          'Körperlich stehen Sie da, wo die meisten Menschen Ihres Alters stehen, und das ist eine gute Grundlage.',
        tip: 'Bewegen Sie sich an einem Tag dieser Woche etwas länger als sonst und spüren Sie nach, wie es sich anfühlt.',
      },
      optimal: {
        feedback: 'Sie sind in guter Form: Ihre Werte liegen über denen vergleichbarer Menschen.',
        tip: 'Bleiben Sie bei den Gewohnheiten, die Sie hierher gebracht haben, und variieren Sie sie.',
      },
    },
    mental: {
      unknown: {
        feedback: 'Es gibt noch zu wenige Gesichtsscans, um etwas über Ihr seelisches Befinden zu sagen.',
        tip: 'Zwei Scans genügen für einen ersten Eindruck. Setzen Sie sich, atmen Sie ruhig, nehmen Sie sich eine Minute.',
      },
      suboptimal: {
        feedback: 'Ihre Scans deuten darauf hin, dass Ihr Kopf in letzter Zeit viel zu tragen hatte.',
        tip: 'Planen Sie heute eine kurze Pause, in der Sie niemand braucht, und atmen Sie einige Minuten langsam aus.',
      },
      average: {
        feedback: 'Anspannung und Ruhe halten sich in etwa die Waage, wie bei den meisten Menschen.',
        tip: 'Notieren Sie, was Ihnen heute Kraft gegeben hat, und tun Sie morgen eines davon noch einmal.',
      },
      optimal: {
        feedback: 'Sie scheinen mit Anspannung gut umzugehen und sich leicht zu erholen.',
        tip: 'Schützen Sie die Momente, die Ihnen Ruhe geben, auch in einer vollen Woche.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback:
          'Es gibt noch zu wenige Gesichtsscans, um etwas über Ihre Energie und Ihren Schlaf zu sagen.',
        tip: 'Scannen Sie einige Morgen hintereinander und beantworten Sie die Fragen zu Ihren Nächten.',
      },
      suboptimal: {
        feedback: 'Ihre Energie und Ihr Schlaf liegen unter dem, was bei vergleichbaren Menschen üblich ist.',
        tip: 'Gehen Sie eine Woche lang zur selben Zeit ins Bett und lassen Sie das Telefon in einem anderen Zimmer.',
      },
      average: {
        feedback: 'Energie und Schlaf sind durchschnittlich: Gute und weniger gute Nächte gleichen sich aus.',
        tip: 'Gehen Sie vor dem Mittag ins Tageslicht. Am Abend fällt das Einschlafen dann leichter.',
      },
      optimal: {
        feedback: 'Sie schlafen gut und haben Energie übrig.',
        tip: 'Ihr Rhythmus passt. Behalten Sie ihn auch am Wochenende bei, der Montag wird es Ihnen danken.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'Jeden Tag ein Spaziergang',
      description: 'Eine halbe Stunde zu Fuß, am Stück oder in drei Teilen, tut Herz und Kopf gut.',
      action_text: 'Spaziergang planen',
    },
    strength_twice_a_week: {
      title: 'Zweimal die Woche Kraft',
      description: 'Kniebeugen, Liegestütze an der Wand, Einkäufe tragen: Muskeln wollen gebraucht werden.',
      action_text: 'Übungen zeigen',
    },
    regular_bedtime: {
      title: 'Immer zur selben Zeit ins Bett',
      description:
        'Ein Körper, der weiß, wann die Nacht beginnt, schläft schneller ein und wacht frischer auf.',
      action_text: 'Schlafenszeit wählen',
    },
    dim_the_evening: {
      title: 'Den Abend dimmen',
      description:
        'Drehen Sie eine Stunde vor dem Schlafen das Licht herunter und legen Sie Bildschirme weg.',
      action_text: 'Abendritual gestalten',
    },
    slow_breathing: {
      title: 'Langsam atmen',
      description: 'Fünf Minuten ruhiges Atmen, länger aus als ein, hilft, Anspannung loszulassen.',
      action_text: 'Übung starten',
    },
    short_breaks: {
      title: 'Kurze Pausen, die zählen',
      description:
        'Stehen Sie jede Stunde auf, schauen Sie aus dem Fenster und lassen Sie die Schultern sinken.',
      action_text: 'Mich erinnern',
    },
    talk_with_someone: {
      title: 'Teilen, was Sie beschäftigt',
      description:
        'Ein Gespräch mit jemandem, dem Sie vertrauen, macht Sorgen kleiner. Es muss nicht lange dauern.',
      action_text: 'So fangen Sie an',
    },
    good_moments: {
      title: 'Drei gute Momente',
      description:
        'Schreiben Sie drei Dinge auf, die heute gut waren, wie klein auch immer. Eine Woche lang.',
      action_text: 'Tagebuch öffnen',
    },
    less_salt: {
      title: 'Mit weniger Salz würzen',
      description:
        'Auch Kräuter, Zitrone und Pfeffer geben Geschmack. Am meisten Salz steckt in Brot und Fertiggerichten.',
      action_text: 'Rezepte ansehen',
    },
    measure_at_rest: {
      title: 'In Ruhe scannen',
      description:
        'Sitzen Sie vor dem Scan fünf Minuten, ohne Kaffee und Treppen, damit sich Tage vergleichen lassen.',
      action_text: 'So gelingt der Scan',
    },
    regular_meals: {
      title: 'Zu festen Zeiten essen',
      description: 'Drei Mahlzeiten zu festen Zeiten halten Ihre Energie den ganzen Tag im Gleichgewicht.',
      action_text: 'Mahlzeiten planen',
    },
    daylight_early: {
      title: 'Tageslicht am Morgen',
      description: 'Eine Viertelstunde draußen, früh am Tag, macht wacher als ein zweiter Kaffee.',
      action_text: 'Nach draußen gehen',
    },
  },
}
