import { because } from '../../../protocol/format'
import type { Gate } from './subject'

/** Gate 4: an admin's switch, else the tool's own default. */
export const enabled: Gate = {
  name: 'enabled',
  denies: (tool, subject) => {
    const override = subject.overrides.get(tool.name)
    if (!override) {
      return tool.enabledByDefault ? null : 'Off until an admin switches it on for this site.'
    }
    return override.enabled
      ? null
      : `Switched off for this site by ${override.changedBy}${because(override.reason)} An admin can switch the tool on.`
  },
}
