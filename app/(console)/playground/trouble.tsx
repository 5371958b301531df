import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { WishErrors } from './run-wish'

/** Why the run did not start, when it is about no single field. */
export function Trouble({ general }: { general: NonNullable<WishErrors['general']> }) {
  return (
    <ErrorNotice
      title="The run did not start"
      action={
        general.signIn && (
          <Button asChild size="sm">
            <Link href="/sign-in?next=%2Fplayground">Sign in</Link>
          </Button>
        )
      }
    >
      {general.message}
    </ErrorNotice>
  )
}
