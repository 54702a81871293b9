import { texts as pages } from '../pages/texts/en.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'There are not enough face scans yet to say something about your physical shape.',
        tip: 'Take a scan on three different days, at a quiet moment, and this picture fills itself in.',
      },
      suboptimal: {
        feedback:
          'Your body is asking for some attention: your physical scores are below those of people like you.',
        tip: 'Start with ten minutes of brisk walking a day. Small and regular beats big and rare.',
      },
      average: {
        feedback: 'Physically you are where most people of your age are, and that is a solid base.',
        tip: 'Pick one day this week to move a little longer than usual and notice how it feels.',
      },
      optimal: {
        feedback: 'You are in good physical shape: your scores are above those of people like you.',
        tip: 'Keep the habits that brought you here, and vary them so that they stay fun.',
      },
    },
    mental: {
      unknown: {
        feedback: 'There are not enough face scans yet to say something about how your mind is doing.',
        tip: 'Two scans are enough for a first impression. Sit down, breathe calmly and give it a minute.',
      },
      suboptimal: {
        feedback: 'Your scans suggest that your mind has had a lot to carry lately.',
        tip: 'Plan one short break today in which nobody needs you, and breathe out slowly for a few minutes.',
      },
      average: {
        feedback: 'Tension and rest are about in balance, as they are for most people.',
        tip: 'Note what gave you energy today. Doing one of those things again tomorrow is a good plan.',
      },
      optimal: {
        feedback: 'You seem to handle tension well and to recover easily.',
        tip: 'Protect the moments that give you calm, also in a busy week.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback: 'There are not enough face scans yet to say something about your energy and sleep.',
        tip: 'Scan a few mornings in a row and answer the questions about your nights.',
      },
      suboptimal: {
        feedback: 'Your energy and sleep are below what is usual for people like you.',
        tip: 'Go to bed at the same time for one week and leave your phone in another room.',
      },
      average: {
        feedback:
          'Your energy and sleep are about average: good nights and lesser ones keep each other in balance.',
        tip: 'Get outside in daylight before noon. It makes falling asleep easier in the evening.',
      },
      optimal: {
        feedback: 'You sleep well and have energy to spend.',
        tip: 'Your rhythm works. Keep it on weekends too and you will notice the difference on Monday.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'A walk every day',
      description: 'Half an hour on foot, in one go or in three parts, does your heart and your head good.',
      action_text: 'Plan my walk',
    },
    strength_twice_a_week: {
      title: 'Strength twice a week',
      description: 'Squats, push-ups against the wall, carrying the shopping: muscles want to be used.',
      action_text: 'Show me exercises',
    },
    regular_bedtime: {
      title: 'The same bedtime',
      description: 'A body that knows when the night begins falls asleep faster and wakes up fresher.',
      action_text: 'Choose a bedtime',
    },
    dim_the_evening: {
      title: 'Dim the evening',
      description: 'Turn the lights down and put screens away an hour before you go to sleep.',
      action_text: 'Build an evening routine',
    },
    slow_breathing: {
      title: 'Breathe slowly',
      description: 'Five minutes of slow breathing, out longer than in, helps to let go of tension.',
      action_text: 'Start the exercise',
    },
    short_breaks: {
      title: 'Short breaks that count',
      description: 'Stand up every hour, look out of the window and let your shoulders drop.',
      action_text: 'Remind me',
    },
    talk_with_someone: {
      title: 'Share what is on your mind',
      description: 'A talk with somebody you trust makes worries smaller. It need not be long.',
      action_text: 'Find a good way to start',
    },
    good_moments: {
      title: 'Three good moments',
      description: 'Write down three things that went well today, however small. Do it for a week.',
      action_text: 'Open my journal',
    },
    less_salt: {
      title: 'Season with less salt',
      description: 'Herbs, lemon and pepper give taste as well. Bread and ready meals hold the most salt.',
      action_text: 'See recipes',
    },
    measure_at_rest: {
      title: 'Scan at rest',
      description:
        'Sit for five minutes before a scan, without coffee or stairs, so that days can be compared.',
      action_text: 'How to scan',
    },
    regular_meals: {
      title: 'Eat at regular times',
      description: 'Three meals at fixed times keep your energy even through the day.',
      action_text: 'Plan my meals',
    },
    daylight_early: {
      title: 'Daylight in the morning',
      description: 'A quarter of an hour outside early in the day wakes you up better than a second coffee.',
      action_text: 'Go outside',
    },
  },
}
