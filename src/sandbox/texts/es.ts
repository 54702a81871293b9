import { texts as pages } from '../pages/texts/es.ts'
import type { Texts } from './texts.ts'

export const texts: Texts = {
  pages,
  summaries: {
    physical: {
      unknown: {
        feedback: 'Todavía no hay suficientes escaneos faciales para decir algo sobre tu forma física.',
        tip: 'Haz un escaneo en tres días distintos, en un momento tranquilo, y esta imagen se completará sola.',
      },
      suboptimal: {
        feedback:
          'Tu cuerpo pide algo de atención: tus puntuaciones están por debajo de las de personas como tú.',
        tip: 'Empieza con diez minutos al día de paso ligero. Poco y a menudo vale más que mucho y rara vez.',
      },
      average: {
        feedback: 'Físicamente estás donde está la mayoría de la gente de tu edad, y eso es una buena base.',
        tip: 'Elige un día de esta semana para moverte un poco más de lo habitual y observa cómo te sienta.',
      },
      optimal: {
        feedback: 'Estás en buena forma física: tus puntuaciones superan las de personas como tú.',
        tip: 'Conserva los hábitos que te han traído hasta aquí y varíalos para que sigan siendo divertidos.',
      },
    },
    mental: {
      unknown: {
        feedback: 'Todavía no hay suficientes escaneos faciales para decir algo sobre tu bienestar mental.',
        tip: 'Dos escaneos bastan para una primera impresión. Siéntate, respira con calma y tómate un minuto.',
      },
      suboptimal: {
        feedback: 'Tus escaneos sugieren que tu mente ha tenido mucho que cargar últimamente.',
        tip: 'Reserva hoy una pausa corta en la que nadie te necesite y espira despacio durante unos minutos.',
      },
      average: {
        feedback:
          'La tensión y el descanso están más o menos en equilibrio, como en la mayoría de las personas.',
        tip: 'Anota qué te ha dado energía hoy. Repetir mañana una de esas cosas es un buen plan.',
      },
      optimal: {
        feedback: 'Pareces manejar bien la tensión y recuperarte con facilidad.',
        tip: 'Protege los momentos que te dan calma, también en una semana llena.',
      },
    },
    energy_sleep: {
      unknown: {
        feedback: 'Todavía no hay suficientes escaneos faciales para decir algo sobre tu energía y tu sueño.',
        tip: 'Haz un escaneo varias mañanas seguidas y responde a las preguntas sobre tus noches.',
      },
      suboptimal: {
        feedback: 'Tu energía y tu sueño están por debajo de lo habitual en personas como tú.',
        tip: 'Acuéstate a la misma hora durante una semana y deja el teléfono en otra habitación.',
      },
      average: {
        feedback: 'Tu energía y tu sueño están en la media: las noches buenas compensan las menos buenas.',
        tip: 'Sal a la luz del día antes del mediodía. Por la noche te costará menos dormirte.',
      },
      optimal: {
        feedback: 'Duermes bien y tienes energía de sobra.',
        tip: 'Tu ritmo funciona. Mantenlo también el fin de semana y el lunes lo notarás.',
      },
    },
  },
  recommendations: {
    daily_walk: {
      title: 'Un paseo cada día',
      description: 'Media hora a pie, de una vez o en tres partes, les sienta bien al corazón y a la cabeza.',
      action_text: 'Planear mi paseo',
    },
    strength_twice_a_week: {
      title: 'Fuerza dos veces por semana',
      description: 'Sentadillas, flexiones contra la pared, cargar la compra: los músculos quieren trabajar.',
      action_text: 'Ver ejercicios',
    },
    regular_bedtime: {
      title: 'La misma hora de acostarse',
      description: 'Un cuerpo que sabe cuándo empieza la noche se duerme antes y despierta más fresco.',
      action_text: 'Elegir una hora',
    },
    dim_the_evening: {
      title: 'Atenúa la noche',
      description: 'Una hora antes de dormir, baja las luces y guarda las pantallas.',
      action_text: 'Crear una rutina',
    },
    slow_breathing: {
      title: 'Respira despacio',
      description:
        'Cinco minutos de respiración lenta, soltando el aire más tiempo, ayudan a aflojar la tensión.',
      action_text: 'Empezar el ejercicio',
    },
    short_breaks: {
      title: 'Pausas cortas que cuentan',
      description: 'Levántate cada hora, mira por la ventana y deja caer los hombros.',
      action_text: 'Recordármelo',
    },
    talk_with_someone: {
      title: 'Comparte lo que te preocupa',
      description:
        'Hablar con alguien de confianza hace más pequeñas las preocupaciones. No tiene que ser largo.',
      action_text: 'Cómo empezar',
    },
    good_moments: {
      title: 'Tres buenos momentos',
      description: 'Escribe tres cosas que hoy hayan ido bien, por pequeñas que sean. Hazlo una semana.',
      action_text: 'Abrir mi diario',
    },
    less_salt: {
      title: 'Sazona con menos sal',
      description:
        'Las hierbas, el limón y la pimienta también dan sabor. El pan y los platos preparados llevan más sal.',
      action_text: 'Ver recetas',
    },
    measure_at_rest: {
      title: 'Escanea en reposo',
      description:
        'Siéntate cinco minutos antes del escaneo, sin café ni escaleras, para poder comparar los días.',
      action_text: 'Cómo escanear',
    },
    regular_meals: {
      title: 'Come a horas fijas',
      description: 'Tres comidas a horas regulares mantienen tu energía estable todo el día.',
      action_text: 'Planear mis comidas',
    },
    daylight_early: {
      title: 'Luz natural por la mañana',
      description: 'Un cuarto de hora al aire libre temprano despierta mejor que un segundo café.',
      action_text: 'Salir al aire libre',
    },
  },
}
