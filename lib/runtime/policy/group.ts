import type { Gate } from './gate'

/** Gate 3: a switched-off group beats every switch of its tools. */
export const group: Gate = {
  name: 'group',
  denies: (tool, subject) =>
    subject.groupsOff.has(tool.group)
      ? `The whole group "${tool.group}" is switched off for this site.`
      : null,
}
