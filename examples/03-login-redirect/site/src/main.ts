import { createSite } from './site.ts'

const port = Number(process.env.PORT ?? 8080)
createSite().listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/settings`))
