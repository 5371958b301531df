import { ErrorNotice } from '@/components/ui/error-notice'
import { connectOutcome } from './connect-outcome'

/** Says how a sign-in at a server ended, after the way back from there. `named`: the outcome in the address. */
export function ConnectNotice({ named }: { named: string | string[] | undefined }) {
  const outcome = connectOutcome(typeof named === 'string' ? named : undefined)
  if (!outcome) return null
  if (outcome.isConnected) return <p role="status">{outcome.words}.</p>
  return <ErrorNotice title="Not connected">{outcome.words}</ErrorNotice>
}
