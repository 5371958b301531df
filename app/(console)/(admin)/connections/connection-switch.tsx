import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import { switchConnection } from './actions'

/** Switches a connection on or off. Switching off says what that does to others and asks for a reason. */
export function ConnectionSwitch({
  connection: { id, name, enabled },
  affected = 'Configurations with its models cannot run.',
}: {
  connection: { id: string; name: string; enabled: boolean }
  /** Uses that stop working, where the page knows them. */
  affected?: string
}) {
  return (
    <ReasonedSwitch
      id={id}
      name={name}
      enabled={enabled}
      required="Give a reason: others use it."
      send={switchConnection}
    >
      {affected} Active runs end.
    </ReasonedSwitch>
  )
}
