export { NotFoundPage as default } from '@/components/shell/message-page'
