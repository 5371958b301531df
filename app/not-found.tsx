import { NotFoundPage } from '@/components/shell/message-page'

export default function NotFound() {
  return (
    <main>
      <NotFoundPage />
    </main>
  )
}
