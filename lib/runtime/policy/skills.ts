import type { Gate } from './gate'

/** Gate 8: where the effective skills list tools, only those they list (SPEC G-S). */
export const skills: Gate = {
  name: 'skills',
  denies: (tool, { configuration }) => {
    const granted = configuration?.grantedBySkills
    if (!granted || granted.has(tool.name)) return null
    return granted.size === 0
      ? `The skills of ${configuration.name} allow no tools at all.`
      : `The skills of ${configuration.name} do not list it under allowed-tools.`
  },
}
