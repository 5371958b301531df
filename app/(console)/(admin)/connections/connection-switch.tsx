import { ReasonedSwitch } from '@/components/forms/reasoned-switch'
import { switchConnection } from './actions'

/** Switches a connection on or off. Switching off says what that does to others and asks for a reason. */
export function ConnectionSwitch({
  connection: { id, name, enabled },
  affected = 'Configurations whose model is there can no longer run.',
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
      required="Give a reason: other people use this connection."
      send={switchConnection}
    >
      Nothing is sent to it. {affected} Its active runs end.
    </ReasonedSwitch>
  )
}
