import type { Gate } from './subject'

/** Gate 9: the tools picked for this run; picking none means none. */
export const selection: Gate = {
  name: 'selection',
  denies: (tool, subject) =>
    subject.selected === null || subject.selected.has(tool.name)
      ? null
      : 'Not picked for this run. Pick this tool and run again.',
}
