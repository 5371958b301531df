import { SearchX } from 'lucide-react'
import Link from 'next/link'
import { Button } from '../ui/button'
import { MessagePage } from './message-page'

export function NotFoundPage() {
  return (
    <MessagePage
      icon={SearchX}
      title="There is nothing here for you"
      action={
        <Button asChild variant="primary">
          <Link href="/playground">Go to the Playground</Link>
        </Button>
      }
    >
      <p>What this address names does not exist, has been removed, or belongs to somebody else.</p>
    </MessagePage>
  )
}
