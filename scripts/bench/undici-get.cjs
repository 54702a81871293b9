// One GET with undici, bundled whole and started without kept code.
const { Client } = require('undici')

async function get({ origin, pathname, search }) {
  const client = new Client(origin)
  const { body } = await client.request({ method: 'GET', path: pathname + search })
  process.stdout.write(await body.text())
  await client.close()
}

get(new URL(process.argv[2]))
