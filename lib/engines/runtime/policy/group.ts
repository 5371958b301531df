import { because } from '../../../protocol/format'
import type { Gate } from './subject'

/** Gate 3: a switched-off group beats every switch of its tools. */
export const group: Gate = {
  name: 'group',
  denies: (tool, subject) => {
    const off = subject.groupsOff.get(tool.group)
    return off
      ? `The whole group "${tool.group}" is switched off for this site by ${off.by}${because(off.reason)} An admin can switch the group on.`
      : null
  },
}
