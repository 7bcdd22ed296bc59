// The program of the one image that the bed brings: it holds the namespaces of every pod ("pause"), and serves the smoke test.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

const account = "/var/run/secrets/kubernetes.io/serviceaccount/"

func main() {
	command := "pause"
	argument := ""
	if len(os.Args) > 2 {
		command, argument = os.Args[1], os.Args[2]
	}
	var err error
	switch command {
	case "pause":
		pause()
	case "serve":
		err = serve(argument)
	case "get":
		err = get(argument)
	case "api":
		err = api(argument)
	case "cat":
		err = cat(argument)
	case "write":
		err = os.WriteFile(argument, []byte("written\n"), 0o644)
	case "hold":
		err = hold(argument)
	default:
		err = fmt.Errorf("'%s' is not a command here; known: pause, serve PORT, get URL, api PATH, cat FILE, write FILE, "+
			"hold MEBIBYTES", command)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Ends when it is told to. As the first process of a pod it may also inherit children of others.
func pause() {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for which := range signals {
		if which != syscall.SIGCHLD {
			return
		}
		for pid := 1; pid > 0; {
			pid, _ = syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		}
	}
}

func serve(port string) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	go func() {
		pause()
		os.Exit(0)
	}()
	fmt.Println("serving", host)
	return http.ListenAndServe(":"+port, http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(answer, host)
	}))
}

func get(url string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	return show(answer)
}

// Asks the API server as any client in a pod does: at the address in the environment, with the token of the account.
func api(path string) error {
	authority, err := os.ReadFile(account + "ca.crt")
	if err != nil {
		return err
	}
	token, err := os.ReadFile(account + "token")
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	url := "https://" + os.Getenv("KUBERNETES_SERVICE_HOST") + ":" + os.Getenv("KUBERNETES_SERVICE_PORT") + path
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+string(token))
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	return show(answer)
}

func show(answer *http.Response) error {
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	_, err := io.Copy(os.Stdout, answer.Body)
	return err
}

func cat(file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(content)
	return err
}

// Takes memory and writes to it, so that the kernel has to give it.
func hold(mebibytes string) error {
	count, err := strconv.Atoi(mebibytes)
	if err != nil {
		return err
	}
	memory := make([]byte, count<<20)
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
	pause()
	return nil
}
