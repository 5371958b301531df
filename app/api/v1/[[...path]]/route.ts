import { endpoints } from '@/lib/doors/api/endpoints'
import { router } from '@/lib/doors/api/router'

const answer = router('/api/v1', endpoints)

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
}
