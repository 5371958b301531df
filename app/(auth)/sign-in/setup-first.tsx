import { KeyRound } from 'lucide-react'
import { Card } from '@/components/ui/card'

/** Nobody can sign in yet: says where the first account comes from. */
export function SetupFirst() {
  return (
    <Card className="flex gap-3 p-4">
      <KeyRound className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
      <div>
        <p className="font-medium text-strong">Toolgate has no admin yet</p>
        <p>
          The terminal that runs the server shows a one-time set-up link. Open it to create the
          first admin. Lost it? Restart the server for a new one.
        </p>
      </div>
    </Card>
  )
}
