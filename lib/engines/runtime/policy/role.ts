import type { Gate } from './subject'

/** Gate 5: admin tools are for admins, and an unknown actor may use nothing. */
export const role: Gate = {
  name: 'role',
  denies: (tool, subject) => {
    if (!subject.actor) {
      return 'The account of this run is unknown or disabled. Sign in with an active account.'
    }
    if (tool.requiresAdmin && subject.actor.role !== 'admin') {
      return 'Only admins may use this tool. Ask an admin to run it.'
    }
    return null
  },
}
