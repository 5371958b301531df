import type { Gate } from './subject'

/** Gate 8: where the effective skills list tools, only those they list (SPEC G-S). */
export const skills: Gate = {
  name: 'skills',
  denies: (tool, { configuration }) => {
    const granted = configuration?.grantedBySkills
    if (!granted || granted.has(tool.name)) return null
    const { name, task } = configuration
    const whose = task === null ? name : `${name} and of the task ${task}`
    return granted.size === 0
      ? `The skills of ${whose} allow no tools at all.`
      : `The skills of ${whose} do not list it under allowed-tools.`
  },
}
