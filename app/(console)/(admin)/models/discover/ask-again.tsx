'use client'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { Button } from '@/components/ui/button'

/** Asks the provider again after a failure. */
export function AskAgain() {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  return (
    <Button
      variant="primary"
      loading={pending}
      onClick={() => startTransition(() => router.refresh())}
    >
      Reload the list
    </Button>
  )
}
