import { ShieldX } from 'lucide-react'
import Link from 'next/link'
import { MessagePage } from '@/components/shell/message-page'
import { Button } from '@/components/ui/button'

export default function Forbidden() {
  return (
    <MessagePage
      icon={ShieldX}
      title="This page is for admins"
      action={
        <Button asChild variant="primary">
          <Link href="/playground">Go to the Playground</Link>
        </Button>
      }
    >
      <p>You are signed in as a member. Ask an admin if you need this page.</p>
    </MessagePage>
  )
}
