import { texts as pages } from '../pages/texts/en.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'There are not enough face scans yet for a statement about your physical fitness.',
        tip: 'Take a scan on three different days, at a quiet moment.',
      },
      suboptimal: {
        feedback: 'Your physical scores are below the average of people like you.',
        tip: 'Start with ten minutes of brisk walking per day. Regular is better than long.',
      },
      average: {
        feedback: 'Your physical scores are average for your age, which is a good base.',
        tip: 'Choose one day this week to exercise a little longer than usual.',
      },
      optimal: {
        feedback: 'Your physical scores are above the average of people like you.',
        tip: 'Keep your habits, and vary them so that they stay fun.',
      },
    },
    mental: {
      unknown: {
        feedback: 'There are not enough face scans yet for a statement about your mental state.',
        tip: 'Two scans are enough for a first result. Sit down and breathe calmly for a minute.',
      },
      suboptimal: {
        feedback: 'Your scans suggest that you have been under stress lately.',
        tip: 'Plan one undisturbed break today, and breathe out slowly for a few minutes.',
      },
      average: {
        feedback: 'Your stress and rest are balanced, as for most people.',
        tip: 'Write down what gave you energy today, and do one of those things again tomorrow.',
      },
      optimal: {
        feedback: 'You handle stress well and recover quickly.',
        tip: 'Keep your quiet moments, even in a busy week.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback: 'There are not enough face scans yet for a statement about your energy and sleep.',
        tip: 'Take a scan on several mornings, and answer the questions about your sleep.',
      },
      suboptimal: {
        feedback: 'Your energy and sleep scores are below the average of people like you.',
        tip: 'Go to bed at the same time for one week and leave your phone in another room.',
      },
      average: {
        feedback: 'Your energy and sleep scores are average.',
        tip: 'Get outside in daylight before noon. It makes falling asleep easier in the evening.',
      },
      optimal: {
        feedback: 'You sleep well and have energy to spend.',
        tip: 'Keep your sleep schedule on weekends, too.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'A walk every day',
      description: 'Half an hour of walking, in one or three parts, is good for your heart and mind.',
      action_text: 'Plan my walk',
    },
    strength_twice_a_week: {
      title: 'Strength twice a week',
      description: 'Squats, wall push-ups and carrying your shopping all train your muscles.',
      action_text: 'Show me exercises',
    },
    regular_bedtime: {
      title: 'The same bedtime',
      description: 'With a fixed bedtime, you fall asleep faster and wake up more rested.',
      action_text: 'Choose a bedtime',
    },
    dim_the_evening: {
      title: 'Dim the evening',
      description: 'Turn the lights down and put screens away an hour before you go to sleep.',
      action_text: 'Build an evening routine',
    },
    slow_breathing: {
      title: 'Breathe slowly',
      description: 'Five minutes of slow breathing, with long exhales, reduces stress.',
      action_text: 'Start the exercise',
    },
    short_breaks: {
      title: 'Short breaks that count',
      description: 'Stand up every hour, look out of the window and relax your shoulders.',
      action_text: 'Remind me',
    },
    talk_with_someone: {
      title: 'Talk about your worries',
      description: 'A short talk with someone you trust often helps.',
      action_text: 'How to start',
    },
    good_moments: {
      title: 'Three good moments',
      description: 'Write down three good things every day for a week.',
      action_text: 'Open my journal',
    },
    less_salt: {
      title: 'Season with less salt',
      description: 'Use herbs, lemon and pepper instead. Bread and ready meals contain the most salt.',
      action_text: 'See recipes',
    },
    measure_at_rest: {
      title: 'Scan at rest',
      description: 'Sit for five minutes before a scan, without coffee, so that the results are comparable.',
      action_text: 'How to scan',
    },
    regular_meals: {
      title: 'Eat at regular times',
      description: 'Three meals at fixed times keep your energy level steady.',
      action_text: 'Plan my meals',
    },
    daylight_early: {
      title: 'Daylight in the morning',
      description: 'Fifteen minutes outside in the morning wake you up better than a second coffee.',
      action_text: 'Go outside',
    },
  },
}
