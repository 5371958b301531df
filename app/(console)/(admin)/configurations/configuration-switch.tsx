import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import { policyReasons } from '@/lib/domains/configurations/shape'
import { changePolicy } from './actions'

/** Switches a configuration on or off. Switching off asks for a reason, because people lose the configuration. */
export function ConfigurationSwitch({
  configuration: { id, name, enabled },
}: {
  configuration: { id: string; name: string; enabled: boolean }
}) {
  return (
    <ReasonedSwitch
      id={id}
      name={name}
      enabled={enabled}
      required={policyReasons.switchOff}
      send={changePolicy}
    >
      It starts no more runs, and its active runs end.
    </ReasonedSwitch>
  )
}
