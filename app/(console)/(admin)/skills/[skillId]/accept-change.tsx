'use client'
import { Check } from 'lucide-react'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { acceptChange } from '../actions'

export function AcceptChange({
  skillId,
  name,
  checksum,
}: {
  skillId: string
  name: string
  checksum: string
}) {
  const { busy, act } = useAct()
  const accept = () =>
    act(() => acceptChange({ skillId, checksum }), {
      failed: `The change to ${name} was not accepted`,
      done: ({ version }) => `${name} is now version ${version}`,
    })
  return (
    <div>
      <Button variant="primary" loading={busy} onClick={accept}>
        {!busy && <Check className="size-4" aria-hidden />}
        Accept the change
      </Button>
    </div>
  )
}
