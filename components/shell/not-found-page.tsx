import { SearchX } from 'lucide-react'
import Link from 'next/link'
import { Button } from '../ui/button'
import { MessagePage } from './message-page'

export function NotFoundPage() {
  return (
    <MessagePage
      icon={SearchX}
      title="Page not found, or you don’t have access"
      action={
        <Button asChild variant="primary">
          <Link href="/playground">Go to the Playground</Link>
        </Button>
      }
    >
      <p>
        Check the address. The page may not exist, may have been deleted, or may belong to somebody
        else.
      </p>
    </MessagePage>
  )
}
