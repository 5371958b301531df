'use client'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { endOtherSessions } from './actions'

export function EndOthersButton() {
  const { busy, act } = useAct()
  return (
    <Button
      size="sm"
      loading={busy}
      onClick={() =>
        act(() => endOtherSessions(null), {
          done: 'Ended all other sessions',
          failed: 'The sessions were not ended',
        })
      }
    >
      End all others
    </Button>
  )
}
