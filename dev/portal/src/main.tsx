import { render } from 'preact';
render(<p>hello {__GATEWAY_URL__}</p>, document.getElementById('app')!);
